public import FlowAnalytics
import FlowKit
public import Foundation
public import UIPlatform

/// The first screen. It leads to the others and knows none of their services.
public final class HomeViewController: UIViewController, ScreenNamed {
    /// The name of the screen in events.
    public let screenName = "home"
    private let profile: any Builder<Void, UIViewController>
    private let settings: any Builder<Void, UIViewController>
    private let paywall: any Builder<PaywallSource, UIViewController>
    private let navigation: Flow
    private let modal: Flow

    init(
        profile: some Builder<Void, UIViewController>,
        settings: some Builder<Void, UIViewController>,
        paywall: some Builder<PaywallSource, UIViewController>,
        navigation: Flow,
        modal: Flow
    ) {
        self.profile = profile
        self.settings = settings
        self.paywall = paywall
        self.navigation = navigation
        self.modal = modal
        super.init(nibName: nil, bundle: nil)
    }

    /// Always `nil`: there are no storyboards to decode the screen from.
    public required init?(coder: NSCoder) { nil }

    /// The profile was tapped.
    public func openProfile() {
        profile.build() |> navigation.present
    }

    /// The settings were tapped.
    public func openSettings() {
        settings.build() |> navigation.present
    }

    /// The banner was tapped.
    public func openPaywall() {
        paywall.build(.home) |> modal.present
    }
}
