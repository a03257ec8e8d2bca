import FlowAnalytics
import FlowKit
import Foundation
import HeadlessUIKit
import Testing

/// Journeys where presentations without animation end on a later turn, as UIKit may do it.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct LateEndJourneyTests {
    /// Waits for the lines, and for some turns that may bring one too many.
    private func wait(forLines count: Int, of app: TestApp) async {
        while app.log.lines.count < count, !Task.isCancelled { await Task.yield() }
        for _ in 0..<20 { await Task.yield() }
    }

    @Test(arguments: HeadlessTiming.allCases)
    func `home, paywall, a second paywall instead, and home`(timing: HeadlessTiming) async {
        let app = TestApp()
        app.window.headlessTiming = timing
        app.flow.present(app.home, animated: false)
        let modal = app.modal(on: app.stack)
        modal.attributed(to: .home, by: app.paywalls).present(PaywallViewController(), animated: false)
        await wait(forLines: 2, of: app)
        modal.attributed(to: .profile, by: app.paywalls).replace(with: PaywallViewController(), animated: false)
        await wait(forLines: 4, of: app)
        modal.dismiss(animated: false)
        await wait(forLines: 6, of: app)
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
        await wait(forLines: 2, of: app)
        app.modal(on: settings).present(DetailViewController(), animated: false)
        await wait(forLines: 3, of: app)
        app.stack.dismiss(animated: false)
        await wait(forLines: 4, of: app)
        #expect(
            app.log.lines == [
                "home < -: root", "settings < home: present", "detail < settings: present", "home < detail: dismiss",
            ]
        )
    }
}
