import FlowKit
import UIPlatform

/// Knows where the home screen leads, and how it is shown.
@MainActor
struct HomeFlow {
    let profile: any Builder<Void, UIViewController>
    let settings: any Builder<Void, UIViewController>
    let paywall: any Builder<PaywallSource, UIViewController>
    /// Shows the profile and the settings.
    let navigation: Flow
    /// Shows the paywall.
    let modal: Flow

    func handle(_ route: HomeViewController.Route) {
        switch route {
        case .profile: profile.build() |> navigation.present
        case .settings: settings.build() |> navigation.present
        case .paywall: paywall.build(.home) |> modal.present
        }
    }
}
