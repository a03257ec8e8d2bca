import FlowKit
import UIPlatform

/// Knows where the profile leads, and how it is shown.
@MainActor
struct ProfileFlow {
    let paywall: any Builder<PaywallSource, UIViewController>
    /// Shows the paywall.
    let modal: Flow

    func handle(_ route: ProfileViewController.Route) {
        switch route {
        case .paywall: paywall.build(.profile) |> modal.present
        }
    }
}
