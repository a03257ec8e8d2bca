public import FlowKit
import UIPlatform

extension Flow {
    /// The same flow, and a `screen_view` for each screen that becomes current through it, when it has become current:
    /// after the transition where it is animated.
    ///
    /// The first screen enters through the flow like every other; decorating emits nothing. Decorating a flow twice, or
    /// several flows over the same screens, counts nothing twice as long as they share the tracker.
    ///
    /// An alert is no screen: it is tracked as what it is, see ``AlertTracking``.
    ///
    /// Order does not matter: a flow can be tracked before or after it is attributed.
    ///
    /// - Parameter screens: knows what is current; one for each tracker.
    public func tracked(by screens: ScreenTracker) -> Flow {
        let tracked = TrackedFlow(flow: self, screens: screens)
        return Flow(
            presentViewController: { tracked.present($0, animated: $1, completion: $2) },
            replaceViewController: { tracked.replace(with: $0, animated: $1) },
            dismissViewController: { tracked.dismiss(animated: $0, completion: $1) },
            currentViewController: currentViewController
        )
    }
}

/// A flow that is tracked.
///
/// A class, so that what a transition's end needs is one reference, and the tracker's own are not counted: it is referred
/// to weakly, which makes that slow.
@MainActor
private final class TrackedFlow {
    private let flow: Flow
    private let screens: ScreenTracker

    nonisolated init(flow: Flow, screens: ScreenTracker) {
        self.flow = flow
        self.screens = screens
    }

    func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)?) {
        let operation = screens.begin(.present, at: flow.currentViewController())
        let alert = screens.claimAlert(controller)
        flow.presentViewController(controller, animated) { [self] in
            screens.end(operation, at: flow.currentViewController())
            if let alert { screens.report(alert) }
            #if DEBUG
            screens.auditTrail.presented(controller)
            #endif
            completion?()
        }
        if !operation.hasEnded { screens.returned(operation, at: flow.currentViewController()) }
    }

    func replace(with controller: UIViewController, animated: Bool) {
        let operation = screens.begin(.replace, at: flow.currentViewController())
        flow.replaceViewController(controller, animated)
        screens.end(operation, at: flow.currentViewController())
    }

    func dismiss(animated: Bool, completion: (() -> Void)?) {
        let operation = screens.begin(.dismiss, at: flow.currentViewController())
        flow.dismissViewController(animated) { [self] in
            screens.end(operation, at: flow.currentViewController())
            completion?()
        }
        if !operation.hasEnded { screens.returned(operation, at: flow.currentViewController()) }
    }
}

/// A call of a tracked flow, from its beginning until its completion.
///
/// The completion holds the operation. When a flow has forgotten its completion, only the tracker holds it, and nobody
/// has to wait for it any more.
@MainActor
final class FlowOperation {
    let transition: ScreenTransition
    /// Whether the flow had no screen when the operation began.
    let startedEmpty: Bool
    /// Whether the decorated flow's closure has not returned yet.
    var isCalling = true
    var hasEnded = false
    /// The screen that becomes current with this operation, so that nobody else counts it.
    ///
    /// Only its identity. Were it freed and another screen at its address, the end of the operation would count that one.
    var target: ObjectIdentifier?

    init(_ transition: ScreenTransition, startedEmpty: Bool) {
        self.transition = transition
        self.startedEmpty = startedEmpty
    }
}
