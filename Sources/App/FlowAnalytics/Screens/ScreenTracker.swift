public import EventTracking
import FlowEvents
import UIPlatform

/// Knows which screen is current, and tells a tracker of each that becomes current: once, whichever of the flows that
/// are tracked by it has shown it, and also where none has.
///
/// Create one for each tracker and give it to every flow:
///
/// ```swift
/// let screens = ScreenTracker(tracker)
/// let flow = navigationController.navigationFlow.tracked(by: screens)
/// ```
///
/// What happens behind the flows' back is heard through the delegates of the containers and presentations on the way to
/// the current screen, where the app has set none. An app's own delegate is never replaced, and one that it sets later
/// replaces this one: the change is then noticed at the next call of a tracked flow, and the event says so in its
/// property `noticed`, which is `late`.
///
/// Only the tree on screen counts. A flow over controllers that are in no window, while another tree has the current
/// screen, fills them unseen: tabs that are prepared, for example.
@MainActor
public final class ScreenTracker {
    let track: @Sendable (EventDraft) -> Void
    let naming: ScreenNaming
    let alerts: AlertTracking
    /// The alert that a call on its way will report, so that nobody else does.
    weak var claimedAlert: UIAlertController?
    #if DEBUG
    let auditTrail = AuditTrail()
    #endif
    let types = ScreenTypes()
    private(set) var currentName: String?
    /// Where the current screen is.
    private let footprint = Footprint()
    private var operation: FlowOperation?
    private let observer = NavigationObserver()
    /// The presentations of paywalls that are on screen.
    let presentations = PaywallPresentations()

    /// Tells a tracker of screens.
    ///
    /// - Parameters:
    ///   - tracker: where the events go.
    ///   - naming: the names of screens that cannot say their own.
    ///   - alerts: what is tracked of an alert.
    public convenience init(_ tracker: Tracker, naming: ScreenNaming = .automatic, alerts: AlertTracking = .events) {
        self.init(naming: naming, alerts: alerts) { draft in tracker.track(draft) }
    }

    /// Tells anyone of screens.
    ///
    /// - Parameters:
    ///   - naming: the names of screens that cannot say their own.
    ///   - alerts: what is tracked of an alert.
    ///   - track: where the events go. Called on the main actor for screens, and on any thread for what is tracked for a
    ///     ``Presentation``.
    public init(
        naming: ScreenNaming = .automatic,
        alerts: AlertTracking = .events,
        track: @escaping @Sendable (EventDraft) -> Void
    ) {
        self.naming = naming
        self.alerts = alerts
        types.alertsAreScreens = alerts == .screenViews
        self.track = track
        observer.screens = self
    }
}

extension ScreenTracker {
    /// Begins a call of a tracked flow; notices first what has happened behind the flow's back.
    ///
    /// - Parameter controller: the flow's current one.
    func begin(_ transition: ScreenTransition, at controller: UIViewController?) -> FlowOperation {
        presentations.removeEnded()
        var isEmpty = true
        if let controller {
            switch FrontScreen(near: controller, types: types, footprint: footprint) {
            case .current:
                isEmpty = false
            case .other(let screen):
                isEmpty = false
                noticeLate(screen, near: controller)
            case .none:
                break
            }
        }
        let operation = FlowOperation(transition, startedEmpty: isEmpty)
        self.operation = operation
        return operation
    }

    /// The decorated flow's closure has returned; the transition may still run.
    func returned(_ operation: FlowOperation, at controller: UIViewController?) {
        operation.isCalling = false
        guard let controller,
            case .other(let screen) = FrontScreen(near: controller, types: types, footprint: footprint)
        else { return }
        operation.target = ObjectIdentifier(screen)
    }

    /// The call's transition is over.
    func end(_ operation: FlowOperation, at controller: UIViewController?) {
        operation.hasEnded = true
        // What begins next then finds it done.
        if operation.transition != .present { presentations.removeEnded() }
        if self.operation === operation { self.operation = nil }
        guard let controller, let place = ScreenPlace.front(near: controller, types: types), !isExpected(place.screen),
            !isSwiping(place.screen)
        else { return }
        let isRoot = operation.startedEmpty && (currentName == nil || !footprint.isSameTree(as: place))
        settle(place, isRoot ? .root : transition(of: operation, to: place), throughFlow: true)
    }

    /// A delegate tells that something may have changed near the controller.
    ///
    /// - Parameter transition: what happened, `nil` where only the result tells.
    func notice(near controller: UIViewController, _ transition: ScreenTransition? = nil) {
        guard operation?.isCalling != true, let place = ScreenPlace.front(near: controller, types: types),
            !isExpected(place.screen)
        else {
            return
        }
        presentations.removeEnded()
        settle(place, transition ?? footprint.transition(to: place))
    }
}

extension ScreenTracker {
    private func noticeLate(_ screen: UIViewController, near controller: UIViewController) {
        guard let place = ScreenPlace.front(near: controller, types: types) else { return }
        if currentName == nil {
            // It was there before any flow was tracked: it came unseen, and is only the previous one of what follows.
            let name = name(of: place)
            #if DEBUG
            auditTrail.noticed(name, after: nil, .root)
            #endif
            become(place, name: name)
        } else if !isExpected(screen), !isSwiping(screen) {
            settle(place, footprint.transition(to: place), noticed: ["noticed": "late"])
        }
    }

    /// What a flow did. To it, selecting a tab is replacing what is shown.
    private func transition(of operation: FlowOperation, to place: ScreenPlace) -> ScreenTransition {
        guard operation.transition == .replace, footprint.transition(to: place) == .tab else {
            return operation.transition
        }
        return .tab
    }

    private func settle(
        _ place: ScreenPlace,
        _ transition: ScreenTransition,
        noticed: [String: PropertyValue] = [:],
        throughFlow: Bool = false
    ) {
        guard footprint.isSameTree(as: place) || footprint.isGone || place.screen.treeBase.viewIfLoaded?.window != nil
        else {
            return
        }
        guard !footprint.isScreen(place.screen) else {
            observer.attach(to: place)
            return footprint.update(to: place)
        }
        let name = name(of: place)
        let presentation = presentations.presentation(of: place.screen)
        let draft = EventDraft(
            type: "screen_view",
            screen: name,
            previousScreen: currentName,
            transition: transition.rawValue,
            presentationID: presentation?.id,
            paywallSource: presentation?.origin.name,
            properties: noticed
        )
        #if DEBUG
        if !throughFlow { auditTrail.noticed(name, after: currentName, transition) }
        if place.facts.paywall != nil, presentation == nil { auditTrail.add(.paywallWithoutSource(screen: name)) }
        #endif
        become(place, name: name)
        track(draft)
    }

    private func become(_ place: ScreenPlace, name: String) {
        observer.attach(to: place)
        footprint.update(to: place)
        currentName = name
    }

    /// Whether a call that is on its way will count the screen.
    private func isExpected(_ screen: UIViewController) -> Bool {
        guard operation != nil else { return false }
        if isKnownUniquelyReferenced(&operation) { operation = nil }
        return operation?.target == ObjectIdentifier(screen)
    }

    /// Whether a finger leads to the screen that is not current yet, and may still cancel. What comes of it is noticed
    /// later.
    private func isSwiping(_ screen: UIViewController) -> Bool {
        !footprint.isScreen(screen) && screen.transitionCoordinator?.isInteractive == true
    }

    private func name(of place: ScreenPlace) -> String {
        if place.facts.isNamed, let named = place.screen as? any ScreenNamed { return named.screenName }
        return naming.mapping(place.screen) ?? place.facts.fallback
    }
}
