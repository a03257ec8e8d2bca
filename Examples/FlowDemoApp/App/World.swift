public import EventTracking
public import FlowEvents
import FlowKit
public import Foundation
public import ScreenJourneys

/// What the app has from outside: its services, its clock and its place, as values and closures.
///
/// Only factory functions and builders read it, as ``Builders/Current``: the name is in their namespace alone, so a screen
/// that wants to read it does not find it. A test, or one of many simulated people, replaces it for a closure:
///
/// ```swift
/// let app = World.$current.withValue(world) { DemoApp(window: window) }
/// ```
///
/// It is task-local, so that tests run side by side. An app that ships has its live world as the value below; the demo's
/// own leads nowhere.
public struct World: Sendable {
    /// Who uses the app.
    public struct Session: Sendable, Hashable {
        /// What to call the user; `nil` before a login.
        public var userName: String?

        /// Creates a session.
        public init(userName: String? = nil) {
            self.userName = userName
        }
    }

    /// The time.
    public var date: @Sendable () -> Timestamp = { .now }
    /// Measures how long a paywall is on screen.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// How days are counted.
    public var calendar = Calendar(identifier: .gregorian)
    /// Where the user is.
    public var timeZone = TimeZone.current
    /// How the user writes numbers and dates.
    public var locale = Locale.current
    /// Who uses the app.
    public var session = Session()
    /// What the paywall looks like.
    public var paywallLayout = PaywallLayout.plain
    /// Where the app's events go.
    public var tracker: Tracker
    /// Where the app buys.
    public var shop: PurchaseService
    /// Makes the ids of the paywall's presentations.
    public var presentationIDs: IDGenerator
    /// What is kept on the device for the shortcuts on the home screen; `nil` for an app that keeps nothing.
    public var journeys: Journeys?

    /// Collects what the app has from outside; what is not said here has a default, and can be set.
    public init(tracker: Tracker, shop: PurchaseService, presentationIDs: IDGenerator = .uuidV7()) {
        self.tracker = tracker
        self.shop = shop
        self.presentationIDs = presentationIDs
    }

    /// The world that builders read. Its first value tracks nothing and sells nothing.
    @TaskLocal public static var current = World(
        tracker: Tracker(source: "app://com.example.demo", identity: .memory(), sink: .discarding),
        shop: PurchaseService { _, outcome in outcome(.canceled) }
    )
}

extension Builders {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    // The name that this pattern is known by.
    static var Current: World { World.current }
}
