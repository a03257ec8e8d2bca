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
        let current = currentViewController
        return Flow(
            presentViewController: { [presentViewController] controller, animated, completion in
                let operation = screens.begin(.present, at: current())
                let alert = screens.claimAlert(controller)
                presentViewController(controller, animated) {
                    screens.end(operation, at: current())
                    if let alert { screens.report(alert) }
                    #if DEBUG
                    screens.auditTrail.presented(controller)
                    #endif
                    completion?()
                }
                if !operation.hasEnded { screens.returned(operation, at: current()) }
            },
            replaceViewController: { [replaceViewController] controller, animated in
                let operation = screens.begin(.replace, at: current())
                replaceViewController(controller, animated)
                screens.end(operation, at: current())
            },
            dismissViewController: { [dismissViewController] animated, completion in
                let operation = screens.begin(.dismiss, at: current())
                dismissViewController(animated) {
                    screens.end(operation, at: current())
                    completion?()
                }
                if !operation.hasEnded { screens.returned(operation, at: current()) }
            },
            currentViewController: current
        )
    }
}
