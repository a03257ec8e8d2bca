import FlowAnalytics
import FlowKit
public import UIPlatform

/// The composition root: the one place that knows all screens, and where every flow is decorated.
///
/// On iOS a scene delegate makes it with its window; on Linux a test or a simulation does.
///
/// ```swift
/// let app = DemoApp(window: window, services: services)
/// app.launch()
/// ```
@MainActor
public final class DemoApp {
    private let window: UIWindow
    private let stack = UINavigationController()
    private let services: AppServices

    /// Puts the app into a window. Nothing is shown before ``launch()``.
    public init(window: UIWindow, services: AppServices) {
        self.window = window
        self.services = services
    }

    /// Shows the home screen.
    public func launch() {
        let screens = ScreenTracker(services.tracker)
        let paywalls = PaywallAttribution<PaywallSource>(screens, ids: services.presentationIDs, now: services.now)
        let navigation = stack.navigationFlow.tracked(by: screens)
        let modal = stack.modalFlow.tracked(by: screens)

        let paywall = PaywallBuilder().scoped { [services] source in
            PaywallBuilder.Dependencies(source: source, shop: services.shop, dismiss: modal.dismiss)
        }
        let profile = ProfileBuilder().scoped { (_: Void) in
            ProfileBuilder.Dependencies(paywall: paywall, modal: modal.attributed(to: .profile, by: paywalls))
        }
        let settings = SettingsBuilder().scoped { [services] (_: Void) in
            SettingsBuilder.Dependencies(
                paywall: paywall,
                modal: modal.attributed(to: .settings, by: paywalls),
                tracker: services.tracker
            )
        }
        let home = HomeBuilder().scoped { (_: Void) in
            HomeBuilder.Dependencies(
                profile: profile,
                settings: settings,
                paywall: paywall,
                navigation: navigation,
                modal: modal.attributed(to: .home, by: paywalls)
            )
        }

        window.rootViewController = stack
        navigation.present(home.build(), animated: false)
    }
}
