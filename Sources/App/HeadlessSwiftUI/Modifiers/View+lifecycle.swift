extension View {
    /// Calls a closure when the view appears.
    ///
    /// Follows [onAppear(perform:)](https://developer.apple.com/documentation/swiftui/view/onappear(perform:)).
    public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }

    /// Calls a closure when the view disappears.
    ///
    /// Follows [onDisappear(perform:)](https://developer.apple.com/documentation/swiftui/view/ondisappear(perform:)).
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }

    /// Calls a closure when a value changes.
    ///
    /// Follows [onChange(of:initial:_:)](https://developer.apple.com/documentation/swiftui/view/onchange(of:initial:_:)-4psgg).
    public func onChange<Value: Equatable>(
        of value: Value,
        initial: Bool = false,
        _ action: @escaping (_ oldValue: Value, _ newValue: Value) -> Void
    ) -> some View { self }
}
