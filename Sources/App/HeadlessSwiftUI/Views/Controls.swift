/// A text.
///
/// Follows [Text](https://developer.apple.com/documentation/swiftui/text).
public struct Text: PrimitiveView {
    let content: String

    /// Creates a text.
    public init(_ content: some StringProtocol) {
        self.content = String(content)
    }

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {}
}

/// A button.
///
/// Follows [Button](https://developer.apple.com/documentation/swiftui/button).
public struct Button<Label: View>: PrimitiveView {
    private let label: Label
    private let action: @MainActor () -> Void

    /// Creates a button with a text.
    @preconcurrency
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) where Label == Text {
        label = Text(title)
        self.action = action
    }

    /// Creates a button with a view.
    @preconcurrency
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.label = label()
        self.action = action
    }

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        evaluation.offer((label as? Text)?.content ?? "", at: place, action)
    }
}

/// Views below each other.
///
/// Follows [VStack](https://developer.apple.com/documentation/swiftui/vstack).
public struct VStack<Content: View>: PrimitiveView {
    private let content: Content

    /// Creates a column.
    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        evaluation.evaluate(content, at: place.step(.content))
    }
}

/// Rows that scroll.
///
/// Follows [List](https://developer.apple.com/documentation/swiftui/list).
public struct List<Content: View>: PrimitiveView {
    private let content: Content

    /// Creates a list.
    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        evaluation.evaluate(content, at: place.step(.content))
    }
}
