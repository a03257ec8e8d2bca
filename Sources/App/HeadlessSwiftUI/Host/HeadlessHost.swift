public import HeadlessUIKit

/// Runs a view without a screen: asks for its `body`, keeps its state, and calls what SwiftUI calls. A test is the user.
///
/// ```swift
/// let host = HeadlessHost(RootView().tracked(by: analytics), in: window.rootViewController)
/// host.tap("Upgrade")
/// host.swipeDown()
/// ```
///
/// The views follow each change of their state before the call returns. With ``animates``, those that go are there until
/// ``finishAnimations()``.
@MainActor
public final class HeadlessHost {
    private let graph: ViewGraph
    private let evaluateRoot: (ViewEvaluation) -> Void
    private(set) var frame = ViewFrame()
    /// The views that have appeared and not disappeared, in this order.
    private var appeared: [ViewFrame.Appearance] = []
    /// The sheets that are shown, also those that are going.
    private var shown: [ViewFrame.Presented] = []
    /// Whether views that go stay until ``finishAnimations()``.
    public var animates = false

    /// Shows a view.
    ///
    /// - Parameters:
    ///   - root: the view.
    ///   - controller: shows the views of UIKit in it.
    ///   - release: how this SwiftUI behaves.
    public init(_ root: some View, in controller: UIViewController? = nil, release: HeadlessRelease = HeadlessRelease())
    {
        graph = ViewGraph(release, controller)
        evaluateRoot = { $0.evaluate(root, at: ViewPlace()) }
        update()
    }

    /// Evaluates all views again, as SwiftUI may at any time.
    public func update() {
        var rounds = 0
        repeat {
            rounds += 1
            // SwiftUI would never come to an end, too.
            precondition(rounds < 100, "The views change their state each time they are evaluated.")
            show(evaluate())
            if !animates { finishAnimations() }
        } while graph.isDirty
    }

    /// The views that go disappear.
    public func finishAnimations() {
        disappear { view in !frame.visible.contains { $0.id == view.id } }
        let gone = shown.filter { sheet in !frame.presented.contains { $0.id == sheet.id } }
        shown = frame.presented
        for sheet in gone { sheet.onDismiss?() }
        graph.releaseUnused()
    }
}

/// Views that come and go.
extension HeadlessHost {
    private func evaluate() -> ViewFrame {
        graph.beginEvaluation()
        let evaluation = ViewEvaluation(graph)
        evaluateRoot(evaluation)
        return evaluation.frame
    }

    private func show(_ next: ViewFrame) {
        let changes = Dictionary(frame.changes.map { ($0.id, $0) }) { first, _ in first }
        frame = next
        shown += frame.presented.filter { sheet in !shown.contains { $0.id == sheet.id } }
        for change in frame.changes { change.tell(changes[change.id]) }
        closeReplaced()
        if !graph.release.appearsFirst, !animates {
            disappear { view in !frame.visible.contains { $0.id == view.id } }
        }
        for view in frame.visible { appear(view) }
    }

    /// A sheet that another one takes the place of goes first.
    private func closeReplaced() {
        let replaced = shown.filter { old in
            frame.presented.contains { $0.presenter == old.presenter && $0.id != old.id }
                && !frame.presented.contains { $0.id == old.id }
        }
        for sheet in replaced {
            disappear { $0.id.isIn(sheet.id) }
            shown.removeAll { $0.id == sheet.id }
            sheet.onDismiss?()
        }
    }

    /// Tells a view that it appears, if it has not appeared.
    func appear(_ view: ViewFrame.Appearance, isAgain: Bool = false) {
        if let index = appeared.firstIndex(where: { $0.id == view.id }) {
            appeared[index] = view
            if isAgain { view.appear?() }
            return
        }
        appeared.append(view)
        for _ in 0..<(graph.release.doublesAppearances ? 2 : 1) { view.appear?() }
    }

    func disappear(_ matches: (ViewFrame.Appearance) -> Bool) {
        let going = appeared.filter(matches)
        appeared.removeAll(where: matches)
        for view in going { view.disappear?() }
    }
}
