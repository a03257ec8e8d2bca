import Analytics
import FlowKit
import UIPlatform

/// Makes the settings.
struct SettingsBuilder: Builder {
    struct Dependencies {
        var paywall: any Builder<PaywallSource, UIViewController>
        /// Shows the paywall.
        var modal: Flow
        var tracker: Tracker
    }

    func build(_ dependencies: Dependencies) -> UIViewController {
        SettingsViewController(
            paywall: dependencies.paywall,
            modal: dependencies.modal,
            tracker: dependencies.tracker
        )
    }
}
