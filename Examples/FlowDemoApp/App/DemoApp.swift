import EventTracking
import FlowAnalytics
public import FlowKit
import ScreenJourneys
public import UIPlatform

/// The app, from its launch to the links that open it.
///
/// On iOS a scene delegate makes it with its window; on Linux a test or a simulation does.
///
/// ```swift
/// let app = DemoApp(window: window)
/// try app.launch()
/// ```
@MainActor
public final class DemoApp {
    /// What leads into the app from outside.
    public enum Link: Sendable, Hashable {
        /// The profile.
        case profile
        /// The paywall, on top of the settings, where it is sold.
        case offer
    }

    private let window: UIWindow
    private let world: World
    private let navigator: Navigator
    private let screens: ScreenTracker
    private let paywalls: PaywallAttribution<PaywallSource>
    private var assembly: Assembly

    /// Puts the app into a window. Nothing is shown before ``launch()``. The app keeps the ``World`` in which this is
    /// called: it makes each screen in this world, also for a later tap or link.
    public init(window: UIWindow) {
        let world = World.current
        let track = world.tracker.track
        self.window = window
        self.world = world
        screens = ScreenTracker(
            clock: world.clock,
            sessions: { world.tracker.sessionProgress },
            track: world.journeys?.remembering(track) ?? track
        )
        paywalls = PaywallAttribution(screens, ids: world.presentationIDs, now: world.date)
        let root = window.rootFlow.tracked(by: screens)
        assembly = Assembly(root: root, screens: screens, paywalls: paywalls, world: world)
        navigator = Navigator(window: window).tracked(by: screens)
    }

    /// Shows the home screen.
    public func launch() throws(NavigationError) {
        try navigator.handle(navigation: .root(.start(assembly)), animated: false)
    }

    /// Goes where a link leads, whatever is shown.
    ///
    /// - Throws: why a step could not be taken, such as in the middle of a presentation.
    public func open(_ link: Link) throws(NavigationError) {
        let root = window.rootFlow.tracked(by: screens)
        let assembly = Assembly(root: root, screens: screens, paywalls: paywalls, world: world)
        self.assembly = assembly
        let start = Navigation.root(.start(assembly))
        switch link {
        case .profile:
            try navigator.handle(navigations: [start, .push(.profile(assembly))])
        case .offer:
            try navigator.handle(navigations: [start, .push(.settings(assembly))], animated: false)
            try navigator.attributed(to: .settings, by: paywalls)
                .handle(navigation: .present(.paywall(assembly, source: .settings)))
        }
    }
}
