/// A text.
///
/// Follows [Text](https://developer.apple.com/documentation/swiftui/text).
public struct Text: PrimitiveView {
    /// Creates a text.
    public init(_ content: some StringProtocol) {}
}

/// A button.
///
/// Follows [Button](https://developer.apple.com/documentation/swiftui/button).
public struct Button<Label: View>: PrimitiveView {
    /// Creates a button with a text.
    @preconcurrency
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) where Label == Text {}
    /// Creates a button with a view.
    @preconcurrency
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}

/// Views below each other.
///
/// Follows [VStack](https://developer.apple.com/documentation/swiftui/vstack).
public struct VStack<Content: View>: PrimitiveView {
    /// Creates a column.
    public init(@ViewBuilder content: () -> Content) {}
}

/// Rows that scroll.
///
/// Follows [List](https://developer.apple.com/documentation/swiftui/list).
public struct List<Content: View>: PrimitiveView {
    /// Creates a list.
    public init(@ViewBuilder content: () -> Content) {}
}
