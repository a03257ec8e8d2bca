import FlowAnalytics
import FlowKit
import UIPlatform

/// The composition root: the one place that knows all screens, and where every flow is decorated.
@MainActor
final class Assembly {
    private let stack = UINavigationController()
    private let root: Flow
    private let screens: ScreenTracker
    private let paywalls: PaywallAttribution<PaywallSource>

    init(root: Flow, screens: ScreenTracker, paywalls: PaywallAttribution<PaywallSource>) {
        self.root = root
        self.screens = screens
        self.paywalls = paywalls
    }

    private var navigation: Flow { stack.navigationFlow.tracked(by: screens) }
    private var modal: Flow { stack.modalFlow.tracked(by: screens) }

    private func modal(from source: PaywallSource) -> Flow {
        modal.attributed(to: source, by: paywalls)
    }

    /// The stack with the home screen in it.
    func start() -> UIViewController {
        let flow = HomeFlow(
            profile: profile,
            settings: settings,
            paywall: paywall,
            navigation: navigation,
            modal: modal(from: .home)
        )
        stack.viewControllers = [Builders.Home.screen(flow)]
        return stack
    }

    /// The paywall for screens that know where it is opened, and must not know what it needs.
    var paywall: some Builder<PaywallSource, UIViewController> {
        let flow = PaywallFlow(presenting: modal)
        return PaywallBuilder().scoped { source in
            PaywallBuilder.Dependencies(
                source: source,
                shop: Builders.Current.shop,
                locale: Builders.Current.locale,
                handle: flow.handle
            )
        }
    }

    var profile: some Builder<Void, UIViewController> {
        FunctionBuilder { [paywall, modal = modal(from: .profile)] in
            Builders.Profile.screen(ProfileFlow(paywall: paywall, modal: modal))
        }
    }

    var settings: some Builder<Void, UIViewController> {
        FunctionBuilder { [paywall, root, screens, paywalls, modal = modal(from: .settings)] in
            let start = FunctionBuilder { Assembly(root: root, screens: screens, paywalls: paywalls).start() }
            return Builders.Settings.screen(SettingsFlow(paywall: paywall, start: start, modal: modal, root: root))
        }
    }
}

/// A factory function where a builder is asked for.
private struct FunctionBuilder: Builder {
    let make: @MainActor () -> UIViewController

    func build(using _: Void) -> UIViewController { make() }
}
