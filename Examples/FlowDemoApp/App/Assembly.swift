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
    /// What all screens are made in. A tap or a link comes when no closure sets it any more.
    private let world: World

    init(root: Flow, screens: ScreenTracker, paywalls: PaywallAttribution<PaywallSource>, world: World) {
        self.root = root
        self.screens = screens
        self.paywalls = paywalls
        self.world = world
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
        stack.viewControllers = [World.$current.withValue(world) { Builders.Home.screen(flow) }]
        return stack
    }

    /// The paywall for screens that know where it is opened, and must not know what it needs.
    var paywall: some Builder<PaywallSource, UIViewController> {
        let flow = PaywallFlow(presenting: modal)
        return PaywallBuilder().scoped { [world] source in
            PaywallBuilder.Dependencies(
                source: source,
                layout: world.paywallLayout,
                shop: world.shop,
                locale: world.locale,
                handle: flow.handle
            )
        }
    }

    var profile: some Builder<Void, UIViewController> {
        FunctionBuilder(world: world) { [paywall, modal = modal(from: .profile)] in
            Builders.Profile.screen(ProfileFlow(paywall: paywall, modal: modal))
        }
    }

    var settings: some Builder<Void, UIViewController> {
        FunctionBuilder(world: world) { [paywall, root, screens, paywalls, world, modal = modal(from: .settings)] in
            let start = FunctionBuilder(world: world) {
                Assembly(root: root, screens: screens, paywalls: paywalls, world: world).start()
            }
            return Builders.Settings.screen(SettingsFlow(paywall: paywall, start: start, modal: modal, root: root))
        }
    }
}

/// A factory function where a builder is asked for. It runs in a world.
private struct FunctionBuilder: Builder {
    let world: World
    let make: @MainActor () -> UIViewController

    func build(using _: Void) -> UIViewController { World.$current.withValue(world) { make() } }
}
