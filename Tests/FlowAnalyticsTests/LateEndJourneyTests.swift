import FlowAnalytics
import FlowKit
import Foundation
import HeadlessUIKit
import Testing

/// Journeys where presentations without animation end on a later turn, as UIKit may do it.
@MainActor
@Suite struct LateEndJourneyTests {
    private func turns() async {
        for _ in 0..<20 { await Task.yield() }
    }

    @Test(arguments: HeadlessTiming.allCases)
    func `home, paywall, a second paywall instead, and home`(timing: HeadlessTiming) async {
        let app = TestApp()
        app.window.headlessTiming = timing
        app.flow.present(app.home, animated: false)
        let modal = app.modal(on: app.stack)
        modal.attributed(to: .home, by: app.paywalls).present(PaywallViewController(), animated: false)
        await turns()
        modal.attributed(to: .profile, by: app.paywalls).replace(with: PaywallViewController(), animated: false)
        await turns()
        modal.dismiss(animated: false)
        await turns()
        #expect(
            app.log.lines == [
                "home < -: root", "paywall < home: present [home p-1]", "paywall_close: replace [home p-1]",
                "paywall < paywall: replace [profile p-2]", "paywall_close: dismiss [profile p-2]",
                "home < paywall: dismiss",
            ]
        )
    }

    @Test(arguments: HeadlessTiming.allCases)
    func `several presentations that go together, by hand`(timing: HeadlessTiming) async {
        let app = TestApp()
        app.window.headlessTiming = timing
        app.flow.present(app.home, animated: false)
        let settings = SettingsViewController()
        app.modal(on: app.stack).present(settings, animated: false)
        await turns()
        app.modal(on: settings).present(DetailViewController(), animated: false)
        await turns()
        app.stack.dismiss(animated: false)
        await turns()
        #expect(
            app.log.lines == [
                "home < -: root", "settings < home: present", "detail < settings: present", "home < detail: dismiss",
            ]
        )
    }
}
