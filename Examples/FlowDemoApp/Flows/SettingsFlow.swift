import FlowKit
import UIPlatform

/// Knows where the settings lead, and how it is shown.
@MainActor
struct SettingsFlow {
    let paywall: any Builder<PaywallSource, UIViewController>
    /// Makes the app anew from its beginning.
    let start: any Builder<Void, UIViewController>
    /// Shows the paywall, and asks.
    let modal: Flow
    /// Exchanges all that is shown.
    let root: Flow

    func handle(_ route: SettingsViewController.Route) {
        switch route {
        case .paywall: paywall.build(.settings) |> modal.present
        case .forgetQuestion:
            Builders.Settings.forgetQuestion { [modal] error in Builders.alert(for: error) |> modal.present }
                |> modal.present
        case .signedOut: root.replace(with: start.build(), animated: false)
        }
    }
}
