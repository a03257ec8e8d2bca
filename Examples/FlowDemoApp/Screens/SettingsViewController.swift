import EventTracking
import FlowEvents
public import FlowAnalytics
public import Foundation
public import UIPlatform

/// A switch, and a row that leads to the paywall.
public final class SettingsViewController: UIViewController, ScreenNamed {
    /// Where the settings lead.
    public enum Route: Sendable, Hashable {
        /// The paywall was wanted.
        case paywall
        /// What is kept on the device is to be forgotten, after a question.
        case forgetQuestion
        /// The user is another one from now on.
        case signedOut
    }

    /// The name of the screen in events.
    public let screenName = "settings"
    /// Whether the person wants notifications.
    public private(set) var wantsNotifications = false
    private let tracker: Tracker
    private let handle: @MainActor (Route) -> Void

    init(tracker: Tracker, handle: @escaping @MainActor (Route) -> Void) {
        self.tracker = tracker
        self.handle = handle
        super.init(nibName: nil, bundle: nil)
    }

    /// Always `nil`: there are no storyboards to decode the screen from.
    public required init?(coder: NSCoder) { nil }

    /// The switch was tapped: an event of the app's own.
    public func toggleNotifications() {
        wantsNotifications.toggle()
        tracker.track(
            EventDraft(
                type: "notifications_changed",
                screen: screenName,
                properties: ["enabled": .bool(wantsNotifications)]
            )
        )
    }

    /// The row was tapped.
    public func openPaywall() {
        handle(.paywall)
    }

    /// The button to forget what was visited was tapped.
    public func forget() {
        handle(.forgetQuestion)
    }

    /// The button to sign out was tapped.
    public func signOut() {
        tracker.identify(userID: nil)
        handle(.signedOut)
    }
}
