public import Analytics
import Events
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
    private let naming: ScreenNaming
    private var typeNames: [ObjectIdentifier: String] = [:]
    private weak var current: UIViewController?
    private var currentName: String?
    private var footprint = Footprint()
    private weak var operation: FlowOperation?
    private lazy var observer = NavigationObserver(screens: self)
    /// The presentations of paywalls that are on screen.
    var presentations = PaywallPresentations()

    /// Tells a tracker of screens.
    ///
    /// - Parameters:
    ///   - tracker: where the events go.
    ///   - naming: the names of screens that cannot say their own.
    public convenience init(_ tracker: Tracker, naming: ScreenNaming = .automatic) {
        self.init(naming: naming) { draft in tracker.track(draft) }
    }

    /// Tells anyone of screens.
    ///
    /// - Parameters:
    ///   - naming: the names of screens that cannot say their own.
    ///   - track: where the events go. Called on the main actor for screens, and on any thread for what is tracked for a
    ///     ``Presentation``.
    public init(naming: ScreenNaming = .automatic, track: @escaping @Sendable (EventDraft) -> Void) {
        self.naming = naming
        self.track = track
    }
}

extension ScreenTracker {
    /// Begins a call of a tracked flow; notices first what has happened behind the flow's back.
    func begin(_ transition: Transition, at controller: UIViewController?) -> FlowOperation {
        presentations.removeEnded()
        let place = place(near: controller)
        if let place { noticeLate(place) }
        let operation = FlowOperation(transition, startedEmpty: place == nil)
        self.operation = operation
        return operation
    }

    /// The decorated flow's closure has returned; the transition may still run.
    func returned(_ operation: FlowOperation, at controller: UIViewController?) {
        operation.isCalling = false
        guard !operation.hasEnded, let screen = place(near: controller)?.screen, screen !== current else { return }
        operation.target = screen
    }

    /// The call's transition is over.
    func end(_ operation: FlowOperation, at controller: UIViewController?) {
        operation.hasEnded = true
        if self.operation === operation { self.operation = nil }
        guard let place = place(near: controller), self.operation?.target !== place.screen else { return }
        let isRoot = operation.startedEmpty && (currentName == nil || !footprint.isSameTree(as: place))
        settle(place, isRoot ? .root : operation.transition)
    }

    /// A delegate tells that something may have changed near the controller.
    ///
    /// - Parameter transition: what happened, `nil` where only the result tells.
    func notice(near controller: UIViewController, _ transition: Transition? = nil) {
        guard let place = place(near: controller) else { return }
        if let operation, operation.isCalling || operation.target === place.screen { return }
        settle(place, transition ?? footprint.transition(to: place))
    }
}

extension ScreenTracker {
    private func place(near controller: UIViewController?) -> ScreenPlace? {
        controller.flatMap(ScreenPlace.init)
    }

    private func noticeLate(_ place: ScreenPlace) {
        guard currentName != nil else { return adopt(place) }
        guard place.screen !== current, operation?.target !== place.screen else { return }
        // A finger on the screen may still cancel; what comes of it is noticed later.
        if place.screen.transitionCoordinator?.isInteractive == true { return }
        settle(place, footprint.transition(to: place), noticed: ["noticed": "late"])
    }

    /// Takes note of a screen that was there before any flow was tracked: it came unseen, and only what follows has it
    /// as its previous one.
    private func adopt(_ place: ScreenPlace) {
        observer.attach(to: place)
        become(place, name: name(of: place.screen))
    }

    private func settle(_ place: ScreenPlace, _ transition: Transition, noticed: [String: PropertyValue] = [:]) {
        guard isOnScreen(place) else { return }
        observer.attach(to: place)
        guard place.screen !== current else { return footprint.update(to: place) }
        presentations.removeEnded()
        let name = name(of: place.screen)
        let presentation = presentations.presentation(of: place.screen)
        let draft = EventDraft(
            type: "screen_view",
            screen: name,
            previousScreen: currentName,
            transition: transition.rawValue,
            presentationID: presentation?.id,
            paywallSource: presentation?.source,
            properties: noticed
        )
        become(place, name: name)
        track(draft)
    }

    private func become(_ place: ScreenPlace, name: String) {
        current = place.screen
        currentName = name
        footprint.update(to: place)
    }

    private func isOnScreen(_ place: ScreenPlace) -> Bool {
        footprint.base == nil || footprint.isSameTree(as: place) || place.base.viewIfLoaded?.window != nil
    }

    private func name(of controller: UIViewController) -> String {
        if let named = controller as? any ScreenNamed { return named.screenName }
        if let mapped = naming.mapping(controller) { return mapped }
        let type = type(of: controller)
        if let known = typeNames[ObjectIdentifier(type)] { return known }
        let name = ScreenNaming.fallback(forType: String(describing: type))
        typeNames[ObjectIdentifier(type)] = name
        return name
    }
}
