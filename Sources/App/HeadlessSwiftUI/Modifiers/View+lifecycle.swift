extension View {
    /// Calls a closure when the view appears.
    ///
    /// Follows [onAppear(perform:)](https://developer.apple.com/documentation/swiftui/view/onappear(perform:)).
    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        AppearanceView(content: self, appear: action, disappear: nil)
    }

    /// Calls a closure when the view disappears.
    ///
    /// Follows [onDisappear(perform:)](https://developer.apple.com/documentation/swiftui/view/ondisappear(perform:)).
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        AppearanceView(content: self, appear: nil, disappear: action)
    }

    /// Calls a closure when a value changes.
    ///
    /// Follows [onChange(of:initial:_:)](https://developer.apple.com/documentation/swiftui/view/onchange(of:initial:_:)-4psgg).
    public func onChange<Value: Equatable>(
        of value: Value,
        initial: Bool = false,
        _ action: @escaping (_ oldValue: Value, _ newValue: Value) -> Void
    ) -> some View { ChangeView(content: self, value: value, isInitial: initial, action: action) }
}

private struct AppearanceView<Content: View>: PrimitiveView {
    let content: Content
    let appear: (() -> Void)?
    let disappear: (() -> Void)?

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        let appearance = ViewFrame.Appearance(id: place.id, appear: appear, disappear: disappear)
        if place.isVisible {
            evaluation.frame.visible.append(appearance)
        } else {
            evaluation.frame.covered.append(appearance)
        }
        evaluation.evaluate(content, at: place.step(.content))
    }
}

private struct ChangeView<Content: View, Value: Equatable>: PrimitiveView {
    let content: Content
    let value: Value
    let isInitial: Bool
    let action: (Value, Value) -> Void

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        let change = ViewFrame.Change(id: place.id, value: value) { [value, isInitial, action] last in
            if let last = last?.value as? Value {
                if last != value { action(last, value) }
            } else if isInitial {
                action(value, value)
            }
        }
        evaluation.frame.changes.append(change)
        evaluation.evaluate(content, at: place.step(.content))
    }
}
