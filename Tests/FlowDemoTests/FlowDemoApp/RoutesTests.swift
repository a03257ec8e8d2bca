import EventTracking
import FlowEvents
import FlowKit
import Foundation
import HeadlessUIKit
import ScreenJourneys
import Testing

@testable import FlowDemoApp

/// What each screen asks for, and what its flow controller makes of it.
@MainActor
@Suite struct RoutesTests {
    private let world = World(
        tracker: Tracker(source: "app://com.example.demo", identity: .memory(), sink: .discarding),
        shop: PurchaseService { _, _ in }
    )

    @Test func `home asks for the profile, the settings and the paywall`() {
        var routes: [HomeViewController.Route] = []
        let greeting = Greeting(at: world.date(), calendar: world.calendar, timeZone: world.timeZone, session: .init())
        let home = HomeViewController(greeting: greeting, loadShortcuts: { Shortcuts() }, handle: { routes.append($0) })
        home.openProfile()
        home.openSettings()
        home.openPaywall()
        home.openShortcut("profile")
        home.openShortcut("a screen of an older version")
        #expect(routes == [.profile, .settings, .paywall, .profile])
    }

    @Test func `the profile and the settings ask for the paywall, the settings also to forget and to sign out`() {
        var fromProfile: [ProfileViewController.Route] = []
        ProfileViewController(handle: { fromProfile.append($0) }).openPaywall()
        #expect(fromProfile == [.paywall])
        var routes: [SettingsViewController.Route] = []
        let settings = SettingsViewController(tracker: world.tracker, handle: { routes.append($0) })
        settings.openPaywall()
        settings.forget()
        settings.signOut()
        #expect(routes == [.paywall, .forgetQuestion, .signedOut])
    }

    @Test func `the paywall asks to be closed, and says its price as the user writes it`() {
        var routes: [PaywallViewController.Route] = []
        let paywall = PaywallBuilder().build(
            PaywallBuilder.Dependencies(
                source: .home,
                layout: .plain,
                shop: world.shop,
                locale: Locale(identifier: "en_US"),
                handle: { routes.append($0) }
            )
        )
        (paywall as? PaywallViewController)?.close()
        #expect(routes == [.close])
        #expect((paywall as? PaywallViewController)?.price == "€39.99")
    }

    @Test func `a flow controller shows each route through the flow that it was handed`() {
        var calls: [String] = []
        func flow(_ name: String) -> Flow {
            var flow = Flow.empty
            flow.presentViewController = { controller, _, _ in calls.append("\(name) \(type(of: controller))") }
            flow.replaceViewController = { controller, _ in calls.append("\(name) instead \(type(of: controller))") }
            flow.dismissViewController = { _, _ in calls.append("\(name) dismiss") }
            return flow
        }
        let paywall = PaywallBuilder().scoped { [world] source in
            PaywallBuilder.Dependencies(
                source: source,
                layout: .plain,
                shop: world.shop,
                locale: world.locale,
                handle: { _ in }
            )
        }
        let home = HomeFlow(
            profile: Stub { ProfileStandIn() },
            settings: Stub { SettingsStandIn() },
            paywall: paywall,
            navigation: flow("navigation"),
            modal: flow("modal")
        )
        for route in [HomeViewController.Route.profile, .settings, .paywall] { home.handle(route) }
        ProfileFlow(paywall: paywall, modal: flow("modal")).handle(.paywall)
        let settings = SettingsFlow(
            paywall: paywall,
            start: Stub { UINavigationController() },
            modal: flow("modal"),
            root: flow("root")
        )
        for route in [SettingsViewController.Route.paywall, .forgetQuestion, .signedOut] { settings.handle(route) }
        PaywallFlow(presenting: flow("presenting")).handle(.close)
        #expect(
            calls == [
                "navigation ProfileStandIn", "navigation SettingsStandIn", "modal PaywallViewController",
                "modal PaywallViewController", "modal PaywallViewController", "modal UIAlertController",
                "root instead UINavigationController", "presenting dismiss",
            ]
        )
    }
}

private final class ProfileStandIn: UIViewController {}
private final class SettingsStandIn: UIViewController {}

private struct Stub: Builder {
    let make: @MainActor () -> UIViewController

    func build(using _: Void) -> UIViewController { make() }
}
