import FlowDemoApp
import HeadlessUIKit
import Testing

/// Scripted people, and the exact events that they leave.
@MainActor
@Suite struct DemoAppTests {
    private static let facts = " currency=EUR price=39.99 product_id=pro.year store=app_store"
    private static let bought = "purchase" + facts

    @Test func `the app begins at home`() async throws {
        let person = PersonInFront()
        try person.launch()
        #expect(person.user.screen is HomeViewController)
        #expect(try await person.lines() == ["home < -: root"])
    }

    @Test func `a paywall from home is bought on and closes by itself`() async throws {
        let person = PersonInFront()
        try person.launch()
        try person.on(HomeViewController.self) { $0.openPaywall() }
        try person.on(PaywallViewController.self) { paywall in
            #expect(paywall.headline == "Everything, without limits")
            paywall.select(.month)
            paywall.select(.year)
            paywall.buy()
        }
        person.orders[0](.bought)
        person.user.finishTransitions()
        #expect(person.user.screen is HomeViewController)
        #expect(
            try await person.lines() == [
                "home < -: root", "paywall < home: present item_id=plain [home p-1]",
                "plan_selected product=pro.month [home p-1]", "plan_selected product=pro.year [home p-1]",
                "\(Self.bought) [home p-1]", "paywall_close: dismiss [home p-1]", "home < paywall: dismiss",
            ]
        )
    }

    @Test func `a paywall says from which screen it was opened`() async throws {
        let person = PersonInFront()
        try person.launch()
        try person.on(HomeViewController.self) { $0.openProfile() }
        try person.on(ProfileViewController.self) { $0.openPaywall() }
        try person.on(PaywallViewController.self) { $0.close() }
        person.user.goBack()
        try person.on(HomeViewController.self) { $0.openSettings() }
        try person.on(SettingsViewController.self) { $0.openPaywall() }
        person.user.swipeToDismiss()
        person.user.swipeBack()
        try person.on(HomeViewController.self) { $0.openPaywall() }
        #expect(
            try await person.lines() == [
                "home < -: root", "profile < home: present", "paywall < profile: present item_id=plain [profile p-1]",
                "paywall_close: dismiss [profile p-1]", "profile < paywall: dismiss", "home < profile: back",
                "settings < home: present", "paywall < settings: present item_id=plain [settings p-2]",
                "paywall_close: swipe_dismiss [settings p-2]", "settings < paywall: swipe_dismiss",
                "home < settings: back", "paywall < home: present item_id=plain [home p-3]",
            ]
        )
    }

    @Test func `a purchase that ends after the dismissal keeps its source and presentation`() async throws {
        let person = PersonInFront()
        try person.launch()
        try person.on(HomeViewController.self) { $0.openPaywall() }
        try person.on(PaywallViewController.self) { $0.buy() }
        person.user.swipeToDismiss()
        try person.on(HomeViewController.self) { $0.openProfile() }
        try person.on(ProfileViewController.self) { $0.openPaywall() }
        person.orders[0](.waiting)
        person.orders[0](.bought)
        person.user.finishTransitions()
        #expect(person.user.screen is PaywallViewController, "the second paywall is not the first one's to close")
        #expect(
            try await person.lines() == [
                "home < -: root", "paywall < home: present item_id=plain [home p-1]",
                "paywall_close: swipe_dismiss [home p-1]", "home < paywall: swipe_dismiss",
                "profile < home: present", "paywall < profile: present item_id=plain [profile p-2]",
                "purchase_pending\(Self.facts) [home p-1]", "\(Self.bought) [home p-1]",
            ]
        )
    }

    @Test func `swipes that are let go leave no event`() async throws {
        let person = PersonInFront()
        try person.launch()
        try person.on(HomeViewController.self) { $0.openProfile() }
        person.user.beginSwipeBack()?.cancel()
        try person.on(ProfileViewController.self) { $0.openPaywall() }
        person.user.beginSwipeToDismiss()?.cancel()
        try person.on(PaywallViewController.self) { $0.close() }
        #expect(
            try await person.lines() == [
                "home < -: root", "profile < home: present", "paywall < profile: present item_id=plain [profile p-1]",
                "paywall_close: dismiss [profile p-1]", "profile < paywall: dismiss",
            ]
        )
    }

    @Test func `an order that is called off is no purchase, and the paywall stays`() async throws {
        let person = PersonInFront()
        try person.launch()
        try person.on(HomeViewController.self) { $0.openPaywall() }
        try person.on(PaywallViewController.self) { $0.buy() }
        person.orders[0](.canceled)
        person.user.finishTransitions()
        #expect(person.user.screen is PaywallViewController)
        #expect(
            try await person.lines() == [
                "home < -: root", "paywall < home: present item_id=plain [home p-1]",
                "purchase_canceled\(Self.facts) [home p-1]",
            ]
        )
    }

    @Test func `the switch in the settings tracks an event of the app's own`() async throws {
        let person = PersonInFront()
        try person.launch()
        try person.on(HomeViewController.self) { $0.openSettings() }
        try person.on(SettingsViewController.self) { settings in
            settings.toggleNotifications()
            settings.toggleNotifications()
        }
        #expect(
            try await person.lines() == [
                "home < -: root", "settings < home: present", "notifications_changed enabled=true",
                "notifications_changed enabled=false",
            ]
        )
    }
}
