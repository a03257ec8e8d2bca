/// A part of the interface.
///
/// Nothing here is drawn. A ``HeadlessHost`` asks for bodies and calls closures; without one, the types only let code for
/// SwiftUI compile where SwiftUI is not.
///
/// Follows [View](https://developer.apple.com/documentation/swiftui/view).
@MainActor
@preconcurrency
public protocol View {
    /// The type of the body.
    associatedtype Body: View
    /// What the view consists of.
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    /// There is no such view.
    public var body: Never { noBody(of: Self.self) }
}

/// A view that is made of nothing else.
protocol PrimitiveView: View where Body == Never {
    /// Evaluates the views in it, and says what it wants.
    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace)
}

extension PrimitiveView {
    /// There is no body.
    public var body: Never { noBody(of: Self.self) }
}

/// Called by code that asks a view without parts for its body.
func noBody(of view: Any.Type) -> Never {
    // SwiftUI stops such a program, too: there is nothing to return.
    fatalError("\(view) is a view without a body.")
}

/// Nothing.
///
/// Follows [EmptyView](https://developer.apple.com/documentation/swiftui/emptyview).
public struct EmptyView: PrimitiveView {
    /// Creates an empty view.
    public nonisolated init() {}

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {}
}

/// Several views.
///
/// Follows [TupleView](https://developer.apple.com/documentation/swiftui/tupleview).
public struct TupleView<each Content: View>: PrimitiveView {
    let content: (repeat each Content)

    init(_ content: repeat each Content) {
        self.content = (repeat each content)
    }

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        var index = 0
        for child in repeat each content {
            evaluation.evaluate(child, at: place.step(.child(index)))
            index += 1
        }
    }
}

/// One of two views.
public struct ConditionalContent<First: View, Second: View>: PrimitiveView {
    enum Choice {
        case first(First)
        case second(Second)
    }

    let choice: Choice

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        switch choice {
        case .first(let view): evaluation.evaluate(view, at: place.step(.first))
        case .second(let view): evaluation.evaluate(view, at: place.step(.second))
        }
    }
}

extension Optional: View, PrimitiveView where Wrapped: View {
    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        if let self { evaluation.evaluate(self, at: place.step(.content)) }
    }
}

/// Makes a view of several ones.
///
/// Follows [ViewBuilder](https://developer.apple.com/documentation/swiftui/viewbuilder).
@MainActor
@resultBuilder
public enum ViewBuilder {
    /// No view.
    public static func buildBlock() -> EmptyView { EmptyView() }
    /// One view.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    /// Several views.
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content>
    {
        TupleView(repeat each content)
    }
    /// A view without an alternative.
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    /// The first of two alternatives.
    public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> {
        ConditionalContent(choice: .first(first))
    }
    /// The second of two alternatives.
    public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> {
        ConditionalContent(choice: .second(second))
    }
}
