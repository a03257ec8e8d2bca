import EventTracking
import EventTrackingTestKit
import FlowAnalytics
import FlowEvents
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

/// Journeys that open a paywall: its presentation begins before its view is loaded, and ends exactly once.
@MainActor
@Suite(.eachTiming) struct PaywallJourneyTests {
    let app = TestApp()
    let paywall = PaywallViewController()

    init() {
        app.flow.present(app.home, animated: false)
    }

    private var modal: Flow { app.modal(on: app.stack).attributed(to: .home, by: app.paywalls) }

    @Test func `an impression that is tracked when the view loads belongs to the presentation`() async {
        let paywall = ImpressionViewController()
        modal.present(paywall, animated: false)
        await settle(app.window)
        #expect(
            app.log.lines.dropFirst() == ["impression [home p-1]", "paywall < home: present [home p-1]"]
        )
    }

    @Test func `a presentation that UIKit refuses is taken back, and the retry has its source`() async {
        let settings = SettingsViewController()
        modal.present(settings, animated: false)
        await settle(app.window)
        // Past every check of the flow: UIKit refuses and drops the completion.
        var careless = Flow.empty
        careless.presentViewController = { [stack = app.stack] controller, animated, completion in
            stack.present(controller, animated: animated, completion: completion)
        }
        careless.currentViewController = { [stack = app.stack] in stack.presentedViewController }
        let flow = careless.tracked(by: app.screens).attributed(to: .profile, by: app.paywalls)
        flow.present(paywall, animated: false)
        await settle(app.window)
        #expect(paywall.presentation == nil)
        app.stack.dismiss(animated: false)
        await settle(app.window)
        flow.present(paywall, animated: false)
        await settle(app.window)
        paywall.presentation?.track("purchase")
        #expect(
            app.log.lines.dropFirst() == [
                "settings < home: present", "home < settings: dismiss", "paywall < home: present [profile p-2]",
                "purchase [profile p-2]",
            ]
        )
    }

    @Test func `a flow that drops its completion shows the paywall with its source all the same`() {
        var forgetful = app.stack.modalFlow
        forgetful.presentViewController = { [stack = app.stack] controller, animated, _ in
            stack.present(controller, animated: animated)
        }
        forgetful.attributed(to: .home, by: app.paywalls).present(paywall, animated: false)
        #expect(paywall.presentation?.source == .home)
        paywall.presentation?.track("purchase")
        #expect(app.log.lines.last == "purchase [home p-1]")
    }

    @Test(arguments: [true, false])
    func `a paywall that dismisses itself is heard at once`(animated: Bool) {
        modal.present(paywall, animated: animated)
        app.user.finishTransitions()
        paywall.dismiss(animated: animated)
        app.user.finishTransitions()
        #expect(
            app.log.lines.dropFirst() == [
                "paywall < home: present [home p-1]", "paywall_close: dismiss [home p-1]", "home < paywall: dismiss",
            ]
        )
    }

    @Test func `however a presentation ends, it ends once`() async {
        let push = app.flow.attributed(to: .profile, by: app.paywalls)
        modal.present(paywall, animated: false)
        await settle(app.window)
        app.user.swipeToDismiss()
        await settle(app.window)
        push.present(paywall, animated: false)
        await settle(app.window)
        app.user.goBack()
        push.present(paywall, animated: false)
        await settle(app.window)
        app.flow.replace(with: DetailViewController())
        app.user.finishTransitions()
        modal.present(paywall, animated: false)
        await settle(app.window)
        modal.dismiss()
        app.user.finishTransitions()
        modal.present(paywall, animated: false)
        await settle(app.window)
        app.window.rootFlow.tracked(by: app.screens).replace(with: ProfileViewController())
        #expect(
            app.log.lines.filter { $0.hasPrefix("paywall_close") } == [
                "paywall_close: swipe_dismiss [home p-1]", "paywall_close: back [profile p-2]",
                "paywall_close: replace [profile p-3]", "paywall_close: dismiss [home p-4]",
                "paywall_close: replace [home p-5]",
            ]
        )
    }

    @Test func `what covers a paywall does not end it`() throws {
        let tabs = UITabBarController()
        let other = UINavigationController(rootViewController: ProfileViewController())
        app.window.rootViewController = tabs
        tabs.viewControllers = [app.stack, other]
        app.flow.attributed(to: .home, by: app.paywalls).present(paywall, animated: false)
        app.flow.present(DetailViewController(), animated: false)
        app.user.goBack()
        app.user.selectTab(1)
        app.user.selectTab(0)
        try #require(app.user.beginSwipeBack()).cancel()
        #expect(app.log.lines.filter { $0.hasPrefix("paywall_close") } == [])
        app.user.goBack()
        #expect(app.log.lines.suffix(2) == ["paywall_close: back [home p-1]", "home < paywall: back"])
    }

    @Test func `a paywall beneath others ends with them`() async {
        modal.present(paywall, animated: false)
        await settle(app.window)
        app.modal(on: paywall).present(SettingsViewController(), animated: false)
        await settle(app.window)
        app.stack.dismiss(animated: false)
        await settle(app.window)
        #expect(
            app.log.lines.suffix(3) == [
                "settings < paywall: present", "paywall_close: dismiss [home p-1]", "home < settings: dismiss",
            ]
        )
    }

    @Test func `the time on screen is that in the foreground, as the current screen`() async throws {
        let clock = ManualClock()
        let app = TestApp(clock: clock)
        app.flow.present(app.home, animated: false)
        await settle(app.window)
        let modal = app.modal(on: app.stack).attributed(to: .home, by: app.paywalls)
        modal.present(paywall, animated: false)
        await settle(app.window)
        clock.advance(by: .seconds(10))
        app.screens.enterBackground()
        clock.advance(by: .seconds(60))
        app.screens.enterForeground()
        clock.advance(by: .milliseconds(5250))
        let above = app.modal(on: paywall)
        above.present(SettingsViewController(), animated: false)
        await settle(app.window)
        clock.advance(by: .seconds(7))
        above.dismiss(animated: false)
        await settle(app.window)
        clock.advance(by: .seconds(1))
        modal.dismiss(animated: false)
        await settle(app.window)
        let close = try #require(app.log.events.first { $0.type == "paywall_close" })
        #expect(close.properties == ["shown_ms": 16_250])
        #expect(close.screen == "paywall")
    }

    @Test func `the source is written once, where the paywall is built`() {
        let builder = PaywallBuilder().attributed(by: app.paywalls)
        let plain = app.modal(on: app.stack)
        builder.build(.home) |> plain.present
        app.user.finishTransitions()
        app.user.swipeToDismiss()
        builder.build(using: .profile) |> plain.replace
        app.user.finishTransitions()
        (app.user.screen as? PaywallViewController)?.presentation?.track("purchase")
        #expect(
            app.log.lines.dropFirst() == [
                "paywall < home: present [home p-1]", "paywall_close: swipe_dismiss [home p-1]",
                "home < paywall: swipe_dismiss", "paywall < home: replace [profile p-2]", "purchase [profile p-2]",
            ]
        )
        #if DEBUG
        #expect(app.screens.audit().findings.filter { $0 != Self.open } == [])
        #endif
    }

    @Test func `a flow cannot contradict the builder, and the audit finds where it tries`() async {
        let builder = PaywallBuilder().attributed(by: app.paywalls)
        modal.present(builder.build(.profile), animated: false)
        await settle(app.window)
        #expect(app.log.lines.last == "paywall < home: present [profile p-1]")
        #if DEBUG
        #expect(
            app.screens.audit().findings.first
                == .sourcesDisagree(controller: "PaywallViewController", built: "profile", flow: "home")
        )
        #endif
    }

    #if DEBUG
    private static let open = ScreenAudit.Finding.presentationNeverDismissed(controller: "PaywallViewController")
    #endif
}

private final class ImpressionViewController: UIViewController, PaywallScreen, ScreenNamed {
    let screenName = "paywall"
    var presentation: Presentation<PaywallSource>?

    override func viewDidLoad() {
        super.viewDidLoad()
        presentation?.track("impression")
    }
}

private struct PaywallBuilder: Builder {
    func build(using source: PaywallSource) -> UIViewController { PaywallViewController() }
}
