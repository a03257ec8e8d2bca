/// Makes another view of a view.
///
/// Follows [ViewModifier](https://developer.apple.com/documentation/swiftui/viewmodifier).
@MainActor
@preconcurrency
public protocol ViewModifier {
    /// The type of the body.
    associatedtype Body: View
    /// The view that is modified.
    typealias Content = ViewModifierContent<Self>
    /// The view that is made of it.
    @ViewBuilder func body(content: Content) -> Body
}

/// The view that a modifier is given.
public struct ViewModifierContent<Modifier: ViewModifier>: PrimitiveView {
    let content: any View

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        evaluation.evaluate(content, at: place.step(.content))
    }
}

/// A view with a modifier.
///
/// Follows [ModifiedContent](https://developer.apple.com/documentation/swiftui/modifiedcontent).
public struct ModifiedContent<Content: View, Modifier: ViewModifier>: PrimitiveView {
    let content: Content
    let modifier: Modifier

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        let place = place.step(.modifier)
        evaluation.link(modifier, at: place)
        evaluation.evaluate(modifier.body(content: ViewModifierContent(content: content)), at: place.step(.body))
    }
}

extension View {
    /// The view with a modifier.
    ///
    /// Follows [modifier(_:)](https://developer.apple.com/documentation/swiftui/view/modifier(_:)).
    public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> ModifiedContent<Self, Modifier> {
        ModifiedContent(content: self, modifier: modifier)
    }
}
