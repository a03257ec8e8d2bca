import FlowAnalytics
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

/// Goes on as soon as it has appeared, before the completion of what has shown it.
private final class SplashViewController: UIViewController {
    var goOn: (() -> Void)?

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        goOn?()
        goOn = nil
    }
}

/// Journeys in which a call of a flow begins before the call before it has ended.
@MainActor
@Suite(.eachTiming) struct QuickJourneyTests {
    let app = TestApp()
    let paywall = PaywallViewController()

    init() {
        app.flow.present(app.home, animated: false)
    }

    private var modal: Flow { app.modal(on: app.stack).attributed(to: .home, by: app.paywalls) }

    private func finish() async {
        for _ in 0..<5 {
            app.user.finishTransitions()
            await settle(app.window)
        }
    }

    @Test(arguments: [true, false])
    func `a screen that goes on when it appears counts, and is the previous one`(isAnimated: Bool) async {
        let splash = SplashViewController()
        splash.goOn = { [app] in app.flow.present(DetailViewController(), animated: isAnimated) }
        app.flow.present(splash, animated: isAnimated)
        await finish()
        #expect(
            app.log.lines == ["home < -: root", "splash < home: present", "detail < splash: present"]
        )
    }

    @Test(arguments: [true, false])
    func `a screen that replaces itself when it appears counts`(isAnimated: Bool) async {
        let splash = SplashViewController()
        splash.goOn = { [app] in app.flow.replace(with: DetailViewController(), animated: isAnimated) }
        app.flow.present(splash, animated: isAnimated)
        await finish()
        #expect(
            app.log.lines == ["home < -: root", "splash < home: present", "detail < splash: replace"]
        )
    }

    @Test(arguments: [true, false])
    func `a screen that opens a paywall when it appears is its previous screen`(isAnimated: Bool) async {
        let splash = SplashViewController()
        splash.goOn = { [modal, paywall] in modal.present(paywall, animated: isAnimated) }
        app.flow.present(splash, animated: isAnimated)
        await finish()
        modal.dismiss(animated: isAnimated)
        await finish()
        #expect(
            app.log.lines == [
                "home < -: root", "splash < home: present", "paywall < splash: present [home p-1]",
                "paywall_close: dismiss [home p-1]", "splash < paywall: dismiss",
            ]
        )
    }

    @Test func `a paywall that is dismissed while it comes is seen and closed`() async {
        modal.present(paywall)
        modal.dismiss()
        await finish()
        #expect(
            app.log.lines == [
                "home < -: root", "paywall < home: present [home p-1]", "paywall_close: dismiss [home p-1]",
                "home < paywall: dismiss",
            ]
        )
    }

    @Test func `a paywall that replaces another while that comes has its presentation`() async {
        let offer = PaywallViewController()
        modal.present(paywall)
        modal.replace(with: offer)
        await finish()
        #expect(offer.presentation?.id == "p-2")
        #expect(
            app.log.lines == [
                "home < -: root", "paywall < home: present [home p-1]", "paywall_close: replace [home p-1]",
                "paywall < paywall: replace [home p-2]",
            ]
        )
    }

    @Test func `a paywall that replaces another while that goes has its presentation`() async {
        let offer = PaywallViewController()
        modal.present(paywall, animated: false)
        await finish()
        modal.dismiss()
        modal.replace(with: offer)
        await finish()
        #expect(offer.presentation?.id == "p-2")
        #expect(app.log.lines.last == "paywall < home: replace [home p-2]")
    }

    @Test func `a second tap while the paywall comes changes nothing`() async {
        modal.present(paywall)
        modal.present(PaywallViewController())
        #expect(app.log.lines == ["home < -: root"])
        await finish()
        #expect(app.log.lines == ["home < -: root", "paywall < home: present [home p-1]"])
    }

    @Test func `who comes back from a screen told by hand to a paywall is in its presentation`() async {
        modal.present(paywall, animated: false)
        await finish()
        app.screens.enter("plans")
        app.screens.leave("plans")
        #expect(app.log.lines.suffix(2) == ["plans < paywall: present", "paywall < plans: back [home p-1]"])
    }
}
