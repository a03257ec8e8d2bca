public import FlowAnalytics
import FlowKit
public import Foundation
public import UIPlatform

/// Who the person is, with a badge that leads to the paywall.
public final class ProfileViewController: UIViewController, ScreenNamed {
    /// The name of the screen in events.
    public let screenName = "profile"
    private let paywall: any Builder<PaywallSource, UIViewController>
    private let modal: Flow

    init(paywall: some Builder<PaywallSource, UIViewController>, modal: Flow) {
        self.paywall = paywall
        self.modal = modal
        super.init(nibName: nil, bundle: nil)
    }

    /// Always `nil`: there are no storyboards to decode the screen from.
    public required init?(coder: NSCoder) { nil }

    /// The badge was tapped.
    public func openPaywall() {
        paywall.build(.profile) |> modal.present
    }
}
