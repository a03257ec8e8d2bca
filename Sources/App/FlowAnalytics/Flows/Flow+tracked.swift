public import FlowKit
import UIPlatform

extension Flow {
    /// Returns a flow that also tracks a `screen_view` for each screen that becomes current through it. The event comes
    /// at the end of a presentation or dismissal, and immediately for a replacement.
    ///
    /// Decorating tracks nothing: the first screen enters through the flow like every other. A first screen that is
    /// there already, from a storyboard or a restored state, counts on the next turn of the main actor, or when the
    /// flow is called. Decorate a flow twice, or several flows over the same screens, and each screen still counts once
    /// for each ``ScreenTracker``.
    ///
    /// The flow's `currentViewController` decides what the screen is, also if it is contained in a
    /// controller that is not declared as a `ScreenContainer`. An alert is not a screen: see ``AlertTracking``.
    ///
    /// A flow can be tracked before or after it is attributed.
    ///
    /// - Parameter screens: the tracker of screens.
    public func tracked(by screens: ScreenTracker) -> Flow {
        let tracked = TrackedFlow(flow: self, screens: screens)
        screens.lookForFirstScreen(of: self)
        return Flow(
            presentViewController: { tracked.present($0, animated: $1, completion: $2) },
            replaceViewController: { tracked.replace(with: $0, animated: $1) },
            dismissViewController: { tracked.dismiss(animated: $0, completion: $1) },
            currentViewController: currentViewController
        )
    }
}

extension Navigator {
    /// Returns a navigator that tracks each of its steps, as ``FlowKit/Flow/tracked(by:)`` does for a flow. Of several steps
    /// that it takes at once, as for a deep link, only the last screen counts.
    @MainActor
    public func tracked(by screens: ScreenTracker) -> Navigator {
        var tracked = decorated { $0.tracked(by: screens) }
        tracked.beginLink = { [beginLink] in
            let endOuter = beginLink()
            let link = ScreenLink(screens)
            return {
                link.end()
                endOuter()
            }
        }
        return tracked
    }

    /// Returns a navigator that opens paywalls from a source, as ``FlowKit/Flow/attributed(to:by:)`` does for a flow. For
    /// example, `.attributed(to: .push, by: paywalls)` is for the links of notifications.
    @MainActor
    public func attributed<Source>(to source: Source, by paywalls: PaywallAttribution<Source>) -> Navigator {
        decorated { $0.attributed(to: source, by: paywalls) }
    }
}

/// A tracked flow.
///
/// An object, so that the end of a transition holds one reference, and those to the tracker are not counted: it has weak
/// references, which make counting slow.
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
        guard screens.presentations.hasBuiltPaywalls, var opening = screens.openBuiltPaywall(in: controller) else {
            return present(controller, animated: animated, operation, alert, completion)
        }
        // The builder has named the source, so the flow need not be attributed.
        opening.completion = completion
        opening.currentViewController = flow.currentViewController
        present(controller, animated: animated, operation, alert) { [opening] in opening.complete() }
        PaywallOpening.returned(&opening)
    }

    private func present(
        _ controller: UIViewController,
        animated: Bool,
        _ operation: FlowOperation,
        _ alert: UIAlertController?,
        _ completion: (() -> Void)?
    ) {
        let shown = ObjectIdentifier(controller)
        flow.presentViewController(controller, animated) { [self] in
            screens.end(operation, at: flow.currentViewController(), showing: shown)
            if let alert { screens.report(alert) }
            #if DEBUG
            screens.auditTrail.presented(controller, on: flow.currentViewController())
            #endif
            completion?()
        }
        if !operation.hasEnded { screens.returned(operation, at: flow.currentViewController()) }
    }

    func replace(with controller: UIViewController, animated: Bool) {
        let operation = screens.begin(.replace, at: flow.currentViewController())
        let opening =
            screens.presentations.hasBuiltPaywalls ? screens.openBuiltPaywall(in: controller) : nil
        opening?.currentViewController = flow.currentViewController
        let replaced = flow.currentViewController()
        flow.replaceViewController(controller, animated)
        opening?.end(in: controller, replacing: replaced)
        controller.afterReplacing(replaced) { [self] in
            let current = flow.currentViewController()
            screens.end(operation, at: current, showing: ObjectIdentifier(controller))
            #if DEBUG
            if !controller.isShown(before: current) { screens.auditTrail.refused(controller, on: current) }
            #endif
        }
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

/// Whether a call of a tracked flow is running in the only window, so that its end announces everything that is heard
/// meanwhile.
///
/// An object of its own, which views ask before the tracker: a weak reference to that is slow. Without a call, they ask the
/// tracker itself.
@MainActor
final class RunningCall {
    var isRunning = false
}

/// A call of a tracked flow, from its beginning until its completion.
///
/// The completion holds the operation. When a flow has dropped the completion, only the tracker holds the operation, and
/// nothing waits for it any more.
@MainActor
final class FlowOperation {
    let transition: ScreenTransition
    /// Whether the flow had no screen when the operation began.
    var startedEmpty = true
    /// Whether the decorated flow's closure has not returned yet.
    var isCalling = true
    var hasEnded = false
    /// The screen that becomes current with this operation, so that nothing else announces it.
    ///
    /// Only its identity: should it be freed and another screen get its address, the end of the operation announces that.
    var target: ObjectIdentifier?
    /// The screen that this operation began on, if another operation was still bringing it.
    var beneath: Beneath?

    /// A screen that an operation brings, and on which the next operation has begun: as from `viewDidAppear`, which comes
    /// before the completion.
    struct Beneath {
        let operation: FlowOperation
        let screen: VisibleScreen
        /// The base of the screen's tree: the screen may have left it when it is announced.
        let base: UIViewController
        /// Whether the screen's transition was over when the next operation began. If not, and something else is in front
        /// at the end, then nobody has seen the screen.
        let hasAppeared: Bool
    }

    init(_ transition: ScreenTransition) {
        self.transition = transition
    }

    /// Whether this operation began before the end of another one, directly or by way of others.
    func began(during other: FlowOperation) -> Bool {
        guard let beneath else { return false }
        return beneath.operation === other || beneath.operation.began(during: other)
    }

    /// Removes and returns the screens beneath, in the order in which they came.
    ///
    /// - Parameter last: the operation whose screen is the last to return; `nil` for all.
    func takeBeneath(through last: FlowOperation? = nil) -> [Beneath] {
        guard let beneath else { return [] }
        guard last == nil || beneath.operation === last else { return beneath.operation.takeBeneath(through: last) }
        self.beneath = nil
        return beneath.operation.takeBeneath() + [beneath]
    }
}
