import FlowKit
import UIPlatform

/// Makes the profile.
struct ProfileBuilder: Builder {
    struct Dependencies {
        var paywall: any Builder<PaywallSource, UIViewController>
        /// Shows the paywall.
        var modal: Flow
    }

    func build(_ dependencies: Dependencies) -> UIViewController {
        ProfileViewController(paywall: dependencies.paywall, modal: dependencies.modal)
    }
}
