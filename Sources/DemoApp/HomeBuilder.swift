import FlowKit
import UIPlatform

/// Makes the home screen.
struct HomeBuilder: Builder {
    struct Dependencies {
        var profile: any Builder<Void, UIViewController>
        var settings: any Builder<Void, UIViewController>
        var paywall: any Builder<PaywallSource, UIViewController>
        /// Shows the profile and the settings.
        var navigation: Flow
        /// Shows the paywall.
        var modal: Flow
    }

    func build(_ dependencies: Dependencies) -> UIViewController {
        HomeViewController(
            profile: dependencies.profile,
            settings: dependencies.settings,
            paywall: dependencies.paywall,
            navigation: dependencies.navigation,
            modal: dependencies.modal
        )
    }
}
