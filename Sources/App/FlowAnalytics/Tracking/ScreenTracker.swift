public import EventTracking
import FlowEvents
import UIPlatform

/// Tracks a `screen_view` for each screen that becomes current, exactly once, whatever has shown it.
///
/// Create one for each tracker and give it to every flow:
///
/// ```swift
/// let screens = ScreenTracker(tracker)
/// let flow = navigationController.navigationFlow.tracked(by: screens)
/// ```
///
/// The tracker hears of changes outside of its flows through a hidden view of no size in the view of each screen that it
/// knows, and through the delegate of a presentation or page controller that has none. It never replaces a delegate of the
/// app. A change that it hears of only at the next call of a tracked flow has the property `noticed` with the value
/// `late`: see <doc:HowScreensAreSeen>.
///
/// Each window has its own current screen. Only a tree on screen counts: a flow over controllers in no window fills them
/// unseen while another tree is on screen.
@MainActor
public final class ScreenTracker {
    let track: @Sendable (consuming EventDraft) -> Void
    let naming: ScreenNaming
    let alerts: AlertTracking
    /// The alert that a running call will report, so that no other call does.
    weak var claimedAlert: UIAlertController?
    #if DEBUG
    let auditTrail = AuditTrail()
    #endif
    let types: ScreenTypes
    let timeline: Timeline
    let sessions: (@Sendable () -> SessionProgress)?
    /// Counts what is bought on paywalls.
    let purchases: PurchaseJournal
    /// The presentations of paywalls that have not ended.
    let presentations = PaywallPresentations()
    // Assigned as a whole, never changed in place: then the compiler can tell that accesses do not overlap, and leaves out
    // the check for that, which takes longer than the access.
    var windows: [WindowState] = []
    /// The presented controller that the user is about to dismiss.
    var userDismissal: ObjectIdentifier?
    var operationWithoutWindow: FlowOperation?
    let call = RunningCall()
    /// Whether no window is known yet.
    let awaitsFirstWindow = Locked(true)
    /// How many links of navigators have begun and not ended.
    var openLinks = 0
    /// Whether views of SwiftUI tell their screens, so that a hosting controller waits for those in it.
    var hasScenes = false
    /// The scenes whose views have told something that is not settled yet.
    var unsettled: [SceneScreens] = []
    /// How many views have a token.
    private var tokens = 0
    let observer = DelegateObserver()
    let lifecycle = LifecycleObserver()
    /// The app whose notifications count; `nil` for any. UIKit has one app. Tests have one each, and run side by side.
    package var application: ObjectIdentifier?
    /// Whether an app without scenes is in the background. Only a launch in the background asks.
    package var isInBackground: @MainActor () -> Bool = { isAppInBackground }

    /// Creates a tracker of screens whose events go to a `Tracker`.
    ///
    /// - Parameters:
    ///   - tracker: receives the events.
    ///   - naming: the names of screens that do not name themselves.
    ///   - alerts: what to track of an alert.
    ///   - ignored: controllers that are no screens, such as debug overlays.
    ///   - clock: measures how long a paywall is on screen.
    public convenience init(
        _ tracker: Tracker,
        naming: ScreenNaming = .automatic,
        alerts: AlertTracking = .events,
        ignoring ignored: IgnoredScreens = .none,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(
            naming: naming,
            alerts: alerts,
            ignoring: ignored,
            clock: clock,
            sessions: { tracker.sessionProgress },
            purchases: tracker.purchases,
            consumer: { draft in tracker.take(draft) }
        )
    }

    /// Creates a tracker of screens whose events go to a closure.
    ///
    /// - Parameters:
    ///   - naming: the names of screens that do not name themselves.
    ///   - alerts: what to track of an alert.
    ///   - ignored: controllers that are no screens, such as debug overlays.
    ///   - clock: measures how long a paywall is on screen.
    ///   - sessions: returns the `Tracker.sessionProgress` of the tracker behind the closure. Without it,
    ///     the app is in a new session after 30 minutes in the background.
    ///   - purchases: the `Tracker.purchases` of the tracker behind the closure. Without it, `FlowStoreKit`
    ///     knows no install, and what it remembers of purchases ends with the run.
    ///   - track: receives the events. Called on the main actor for screens, and on any thread for what the app tracks for
    ///     a ``Presentation``.
    public convenience init(
        naming: ScreenNaming = .automatic,
        alerts: AlertTracking = .events,
        ignoring ignored: IgnoredScreens = .none,
        clock: any Clock<Duration> = ContinuousClock(),
        sessions: (@Sendable () -> SessionProgress)? = nil,
        purchases: PurchaseJournal? = nil,
        track: @escaping @Sendable (EventDraft) -> Void
    ) {
        self.init(
            naming: naming,
            alerts: alerts,
            ignoring: ignored,
            clock: clock,
            sessions: sessions,
            purchases: purchases ?? .ofThisRun(),
            consumer: { draft in track(draft) }
        )
    }

    // The events are moved to the consumer, since copying one counts references to all of its texts.
    private init(
        naming: ScreenNaming,
        alerts: AlertTracking,
        ignoring ignored: IgnoredScreens,
        clock: any Clock<Duration>,
        sessions: (@Sendable () -> SessionProgress)?,
        purchases: PurchaseJournal,
        consumer track: @escaping @Sendable (consuming EventDraft) -> Void
    ) {
        self.naming = naming
        self.alerts = alerts
        self.sessions = sessions
        self.purchases = purchases
        self.track = sessions.map { Self.gated(track, by: ConsentGate($0)) } ?? track
        timeline = Timeline(clock)
        types = ScreenTypes(ignored: ignored, naming: naming, alertsAreScreens: alerts == .screenViews)
        observer.screens = self
        lifecycle.noteNewWindows()
        #if DEBUG
        types.foundUndeclared = { [auditTrail] in auditTrail.add(.undeclaredContainer(controller: "\(type(of: $0))")) }
        types.foundSharedName = { [auditTrail] in auditTrail.add(.sharedClassName(first: $0, second: $1)) }
        #endif
    }
}

extension ScreenTracker {
    private static func gated(
        _ track: @escaping @Sendable (consuming EventDraft) -> Void,
        by gate: ConsentGate
    ) -> @Sendable (consuming EventDraft) -> Void {
        { draft in
            var draft = draft
            if gate.passes(&draft) { track(draft) }
        }
    }

    /// Makes the token of a view.
    func makeToken() -> ViewToken {
        tokens += 1
        return ViewToken(tokens)
    }

    /// Begins a call of a tracked flow. Announces first what has changed without a flow.
    ///
    /// - Parameter controller: the flow's current controller.
    func begin(_ transition: ScreenTransition, at controller: UIViewController?) -> FlowOperation {
        let operation = FlowOperation(transition)
        if windows.count < 2 { call.isRunning = true }
        if let controller, let state = stateIfCurrent(controller) {
            operation.startedEmpty = false
            state.operation = operation
            closeEndedPaywalls(as: .dismiss)
            return operation
        }
        guard let base = controller?.treeBase else {
            operationWithoutWindow = operation
            closeEndedPaywalls(as: .dismiss)
            return operation
        }
        let state = state(of: base, isNew: false)
        if let state {
            switch FrontScreen(from: base, types: types, footprint: state.footprint) {
            case .current: operation.startedEmpty = false
            case .other(let screen):
                operation.startedEmpty = false
                if let running = state.operationBringing(screen) {
                    operation.beneath = beneath(running, screen, in: base)
                } else {
                    noticeLate(screen, in: base, of: state)
                }
            case .none: break
            }
            state.operation = operation
        } else if let visible = VisibleScreen.find(from: base, types: types) {
            operation.startedEmpty = false
            let state = self.state(of: base, isNew: true)
            if let state {
                beginUntracked(visible, in: state)
                state.operation = operation
            }
        } else {
            operationWithoutWindow = operation
        }
        closeEndedPaywalls(as: .dismiss)
        return operation
    }

    /// The decorated flow's closure has returned; the transition may still be running.
    func returned(_ operation: FlowOperation, at controller: UIViewController?) {
        operation.isCalling = false
        call.isRunning = false
        guard let base = controller?.treeBase, let state = state(of: base, isNew: false),
            case .other(let screen) = FrontScreen(from: base, types: types, footprint: state.footprint)
        else { return }
        // What another operation brings is not the target of this one.
        guard operation.beneath?.screen.controller !== screen else { return }
        operation.target = ObjectIdentifier(screen)
        state.operation = operation
    }

    /// The transition of a call has ended.
    ///
    /// - Parameters:
    ///   - controller: the flow's current controller.
    ///   - shown: the controller that the call has shown. Only its identity, since holding it would count a reference; it is
    ///     compared with the flow's current controller alone.
    func end(_ operation: FlowOperation, at controller: UIViewController?, showing shown: ObjectIdentifier? = nil) {
        operation.hasEnded = true
        call.isRunning = false
        if operationWithoutWindow === operation { operationWithoutWindow = nil }
        // A flow whose last controller has gone names none: then its window shows what is left.
        var base = controller?.treeBase
        for state in windows {
            guard let running = state.operation else { continue }
            if running === operation {
                state.operation = nil
                if operation.transition == .replace, let base { moveRoot(of: state, to: base) }
                base = base ?? state.base
                if let beneath = operation.beneath {
                    if !beneath.hasAppeared, !beneath.operation.hasEnded, isInFront(beneath) {
                        // It was refused, or has changed nothing: the end of the other operation announces its screen.
                        operation.beneath = nil
                        state.operation = beneath.operation
                        return closeEndedPaywalls(as: operation.transition)
                    }
                    tell(operation.takeBeneath(), in: state)
                }
            } else if running.began(during: operation) {
                tell(running.takeBeneath(through: operation), in: state)
            }
        }
        defer { closeEndedPaywalls(as: operation.transition) }
        guard let base, let visible = VisibleScreen.find(from: base, types: types) else { return }
        if let controller, ObjectIdentifier(controller) == shown, visible.controller !== controller,
            let parent = controller.parent, types.facts(of: parent).shown == nil
        {
            // The flow has just shown it: then what contains it is a container, declared or not.
            types.trust(controller)
            guard let found = VisibleScreen.find(from: base, types: types) else { return }
            return end(operation, at: found, in: base)
        }
        end(operation, at: visible, in: base)
    }

    private func end(_ operation: FlowOperation, at visible: VisibleScreen, in base: UIViewController) {
        guard let state = state(of: base, isNew: true), !state.expects(visible.controller),
            !isSwiping(visible.controller, in: state)
        else { return }
        announce(visible, of: operation, in: state, base)
    }

    func announce(
        _ visible: VisibleScreen,
        of operation: FlowOperation,
        in state: WindowState,
        _ base: UIViewController
    ) {
        let isRoot = operation.startedEmpty && (state.name == nil || !state.footprint.isSameTree(base))
        announce(visible, in: state, isRoot ? .root : transition(of: operation, to: visible, base, state), .throughFlow)
    }
}
