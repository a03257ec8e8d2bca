public import EventTracking
public import FlowAnalytics
public import FlowEvents

/// The analytics of an app in SwiftUI: tracks the screens of its scenes, and where each paywall was opened from.
///
/// ```swift
/// @main struct ShopApp: App {
///     let analytics = AppAnalytics(tracker)
///     var body: some Scene { WindowGroup { RootView().tracked(by: analytics) } }
/// }
/// ```
///
/// An app that shows screens of UIKit as well has one `ScreenTracker` for both. Then the screens of a window have one
/// order, whatever shows them:
///
/// ```swift
/// let screens = ScreenTracker(tracker)
/// let analytics = AppAnalytics(screens)
/// ```
@MainActor
public final class AppAnalytics {
    /// The tracker of the app's screens, for flows of UIKit and for `audit()`.
    public let screens: ScreenTracker
    let paywalls: PaywallAttribution<PaywallSourceName>

    /// Creates the analytics of an app that has only SwiftUI.
    ///
    /// - Parameters:
    ///   - tracker: receives the events.
    ///   - ids: makes the `presentation_id`s.
    ///   - now: the time in an id.
    public convenience init(
        _ tracker: Tracker,
        ids: IDGenerator = .uuidV7(),
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.init(ScreenTracker(tracker), ids: ids, now: now)
    }

    /// Creates the analytics of an app whose flows of UIKit a tracker of screens knows.
    ///
    /// - Parameters:
    ///   - screens: tracks the screens of both.
    ///   - ids: makes the `presentation_id`s.
    ///   - now: the time in an id.
    public init(
        _ screens: ScreenTracker,
        ids: IDGenerator = .uuidV7(),
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.screens = screens
        paywalls = PaywallAttribution(screens, ids: ids, now: now)
    }
}
