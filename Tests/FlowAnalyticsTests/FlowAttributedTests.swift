import EventTracking
import FlowEvents
import FlowAnalytics
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

@MainActor
@Suite(.eachTiming) struct FlowAttributedTests {
    let app = TestApp()
    let paywall = PaywallViewController()

    init() {
        app.flow.present(app.home, animated: false)
    }

    @Test(arguments: [true, false], [true, false])
    func `the order of the decorators does not matter`(trackedFirst: Bool, animated: Bool) {
        let plain = app.home.modalFlow
        let flow =
            trackedFirst
            ? plain.tracked(by: app.screens).attributed(to: .home, by: app.paywalls)
            : plain.attributed(to: .home, by: app.paywalls).tracked(by: app.screens)
        flow.present(paywall, animated: animated)
        app.user.finishTransitions()
        paywall.presentation?.track("purchase")
        #expect(app.log.lines.dropFirst() == ["paywall < home: present [home p-1]", "purchase [home p-1]"])
    }

    @Test func `the presentation is there before the app's completion`() {
        let flow = app.modal(on: app.home).attributed(to: .home, by: app.paywalls)
        var source: PaywallSource?
        flow.present(paywall, animated: true) { source = paywall.presentation?.source }
        #expect(paywall.presentation?.id == "p-1")
        app.user.finishTransitions()
        #expect(source == .home)
    }

    @Test func `two paywalls alive keep their own presentations`() async {
        let second = PaywallViewController()
        app.modal(on: app.home).attributed(to: .home, by: app.paywalls).present(paywall, animated: false)
        await settle(app.window)
        app.modal(on: paywall).attributed(to: .profile, by: app.paywalls).present(second, animated: false)
        await settle(app.window)
        second.presentation?.track("purchase")
        paywall.presentation?.track("purchase")
        app.user.swipeToDismiss()
        await settle(app.window)
        #expect(
            app.log.lines.dropFirst() == [
                "paywall < home: present [home p-1]", "paywall < paywall: present [profile p-2]",
                "purchase [profile p-2]", "purchase [home p-1]", "paywall_close: swipe_dismiss [profile p-2]",
                "paywall < paywall: swipe_dismiss [home p-1]",
            ]
        )
    }

    @Test func `a refused presentation changes neither source nor id`() {
        let home = app.modal(on: app.home).attributed(to: .home, by: app.paywalls)
        let profile = app.modal(on: app.home).attributed(to: .profile, by: app.paywalls)
        home.present(paywall, animated: false)
        let refused = PaywallViewController()
        profile.present(paywall, animated: false)
        profile.present(refused, animated: false)
        app.flow.present(paywall, animated: false)
        #expect(paywall.presentation?.source == .home)
        #expect(refused.presentation == nil)
        #expect(app.log.lines.dropFirst() == ["paywall < home: present [home p-1]"])
    }

    @Test func `a paywall that was refused and is shown without a source has none`() async {
        let settings = SettingsViewController()
        let plain = app.modal(on: app.home)
        plain.present(settings, animated: false)
        await settle(app.window)
        plain.attributed(to: .home, by: app.paywalls).present(paywall, animated: false)
        await settle(app.window)
        plain.dismiss(animated: false)
        await settle(app.window)
        plain.present(paywall, animated: false)
        await settle(app.window)
        #expect(app.log.lines.last == "paywall < home: present")
    }

    @Test func `a presentation ends with its dismissal`() async {
        let plain = app.modal(on: app.home)
        plain.attributed(to: .home, by: app.paywalls).present(paywall, animated: false)
        await settle(app.window)
        app.home.dismiss(animated: false)
        await settle(app.window)
        plain.present(paywall, animated: false)
        await settle(app.window)
        #expect(app.log.lines.suffix(2) == ["home < paywall: dismiss", "paywall < home: present"])
    }

    @Test func `a paywall that is uncovered is still in its presentation`() async {
        app.modal(on: app.home).attributed(to: .home, by: app.paywalls).present(paywall, animated: false)
        await settle(app.window)
        let above = app.modal(on: paywall)
        above.present(SettingsViewController(), animated: false)
        await settle(app.window)
        above.dismiss(animated: false)
        await settle(app.window)
        #expect(
            app.log.lines.suffix(2) == [
                "settings < paywall: present", "paywall < settings: dismiss [home p-1]",
            ]
        )
    }

    @Test func `a paywall in a container, pushed or replacing is attributed as well`() {
        app.modal(on: app.home).attributed(to: .home, by: app.paywalls)
            .present(UINavigationController(rootViewController: paywall), animated: false)
        app.user.swipeToDismiss()
        let pushed = PaywallViewController()
        let replacing = PaywallViewController()
        app.flow.attributed(to: .profile, by: app.paywalls).present(pushed, animated: false)
        app.flow.attributed(to: .home, by: app.paywalls).replace(with: replacing, animated: true)
        #expect(
            app.log.lines.dropFirst() == [
                "paywall < home: present [home p-1]", "paywall_close: swipe_dismiss [home p-1]",
                "home < paywall: swipe_dismiss", "paywall < home: present [profile p-2]",
                "paywall_close: replace [profile p-2]", "paywall < paywall: replace [home p-3]",
            ]
        )
        #expect(replacing.presentation?.source == .home)
    }

    @Test func `a paywall at the bottom of a window is attributed until another takes its place`() {
        let root = app.window.rootFlow.tracked(by: app.screens)
        root.attributed(to: .profile, by: app.paywalls).replace(with: paywall, animated: false)
        #expect(app.log.lines.last == "paywall < home: replace [profile p-1]")
        root.replace(with: SettingsViewController(), animated: false)
        root.replace(with: paywall, animated: false)
        #expect(app.log.lines.last == "paywall < settings: replace")
    }

    /// How the root of a window can be shown before the window is visible.
    enum Launch: CaseIterable {
        case presenting, replacing, inStack, navigator
    }

    @Test(arguments: Launch.allCases)
    func `a paywall at the bottom of a window that is not visible yet is attributed`(launch: Launch) async throws {
        let log = EventLog()
        let screens = ScreenTracker { log.append($0) }
        screens.application = ObjectIdentifier(app.application)
        let paywalls = PaywallAttribution<PaywallSource>(screens, ids: .counting("p"))
        let window = UIWindow(frame: .zero)
        let root = window.rootFlow.tracked(by: screens)
        let flow = root.attributed(to: .profile, by: paywalls)
        switch launch {
        case .presenting: flow.present(paywall, animated: false)
        case .replacing: flow.replace(with: paywall, animated: false)
        case .inStack: flow.replace(with: UINavigationController(rootViewController: paywall), animated: false)
        case .navigator:
            let navigator = Navigator(window: window).tracked(by: screens).attributed(to: .profile, by: paywalls)
            try navigator.handle(navigation: .root(Screen { paywall }), animated: false)
        }
        #expect(log.lines == ["paywall < -: root [profile p-1]"])
        window.makeKeyAndVisible()
        await settle(window)
        #expect(paywall.presentation?.source == .profile)
        root.replace(with: SettingsViewController(), animated: false)
        await settle(window)
        #expect(
            log.lines.dropFirst() == ["paywall_close: replace [profile p-1]", "settings < paywall: replace"],
            "\(log.lines)"
        )
    }

    @Test func `a paywall at the bottom of a window that was replaced before the window is visible has ended`() {
        let log = EventLog()
        let screens = ScreenTracker { log.append($0) }
        screens.application = ObjectIdentifier(app.application)
        let paywalls = PaywallAttribution<PaywallSource>(screens, ids: .counting("p"))
        let window = UIWindow(frame: .zero)
        let root = window.rootFlow.tracked(by: screens)
        root.attributed(to: .profile, by: paywalls).replace(with: paywall, animated: false)
        root.replace(with: SettingsViewController(), animated: false)
        #expect(
            log.lines == [
                "paywall < -: root [profile p-1]", "paywall_close: replace [profile p-1]",
                "settings < paywall: replace",
            ]
        )
    }

    @Test func `a paywall that is gone leaves its presentation to none that comes after it`() async {
        let plain = app.modal(on: app.home)
        weak var gone: PaywallViewController?
        for _ in 0..<20 {
            do {
                let first = PaywallViewController()
                gone = first
                plain.attributed(to: .home, by: app.paywalls).present(first, animated: false)
                await settle(app.window)
                // Behind the flow's back.
                app.home.dismiss(animated: false)
                await settle(app.window)
            }
            #expect(gone == nil)
            // It may well be where the first one was.
            app.home.present(PaywallViewController(), animated: false)
            await settle(app.window)
            plain.dismiss(animated: false)
            await settle(app.window)
        }
        let shown = app.log.lines.filter { $0.hasPrefix("paywall <") }
        #expect(shown.count == 40)
        #expect(shown.filter { !$0.contains("[") }.count == 20)
    }

    @Test func `the outer of two sources counts, with one presentation`() async {
        app.modal(on: app.home).attributed(to: .profile, by: app.paywalls).attributed(to: .home, by: app.paywalls)
            .present(paywall, animated: false)
        await settle(app.window)
        #expect(app.log.lines.last == "paywall < home: present [home p-1]")
        #expect(paywall.presentation?.id == "p-1")
    }

    @Test func `screens that are no paywall have no source`() async {
        app.modal(on: app.home).attributed(to: .home, by: app.paywalls)
            .present(SettingsViewController(), animated: false)
        await settle(app.window)
        #expect(app.log.lines.last == "settings < home: present")
    }

    @Test func `a purchase may be tracked from any thread, with what else the app says`() async {
        app.modal(on: app.home).attributed(to: .home, by: app.paywalls).present(paywall, animated: false)
        await settle(app.window)
        let presentation = paywall.presentation
        await Task.detached { presentation?.track("purchase", properties: ["plan": "year"]) }.value
        #expect(app.log.events.last?.properties == ["plan": "year"])
        #expect(app.log.lines.last == "purchase [home p-1]")
    }
}
