import Analytics
import Events
public import FlowAnalytics
import FlowKit
public import Foundation
public import UIPlatform

/// A switch, and a row that leads to the paywall.
public final class SettingsViewController: UIViewController, ScreenNamed {
    /// The name of the screen in events.
    public let screenName = "settings"
    /// Whether the person wants notifications.
    public private(set) var wantsNotifications = false
    private let paywall: any Builder<PaywallSource, UIViewController>
    private let modal: Flow
    private let tracker: Tracker

    init(paywall: some Builder<PaywallSource, UIViewController>, modal: Flow, tracker: Tracker) {
        self.paywall = paywall
        self.modal = modal
        self.tracker = tracker
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
        paywall.build(.settings) |> modal.present
    }
}
