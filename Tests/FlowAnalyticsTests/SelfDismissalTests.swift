import FlowAnalytics
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

/// Presentations that begin and end without a flow.
@MainActor
@Suite(.eachTiming) struct SelfDismissalTests {
    let app = TestApp()

    /// Safari's Done, and `dismiss()` inside a hosting controller, whose view takes no other view.
    @Test func `a hosting controller that dismisses itself is heard at once, also beneath the app's delegate`() async {
        let delegate = SilentDelegate()
        app.flow.present(app.home, animated: false)
        let modal = app.modal(on: app.stack).attributed(to: .home, by: app.paywalls)
        for ownsDelegate in [false, true] {
            let host = PaywallHost()
            if ownsDelegate { host.presentationController?.delegate = delegate }
            modal.present(host, animated: false)
            await settle(app.window)
            host.dismiss(animated: true)
            app.user.finishTransitions()
            await settle(app.window)
        }
        #expect(
            app.log.lines == [
                "home < -: root", "paywall < home: present [home p-1]", "paywall_close: dismiss [home p-1]",
                "home < paywall: dismiss", "paywall < home: present [home p-2]", "paywall_close: dismiss [home p-2]",
                "home < paywall: dismiss",
            ]
        )
    }

    @Test func `a stack of hosting controllers in a sheet is heard when the sheet goes`() async {
        app.flow.present(app.home, animated: false)
        let sheet = UINavigationController(rootViewController: PaywallHost())
        sheet.delegate = NavigationDelegate.shared
        app.modal(on: app.stack).attributed(to: .home, by: app.paywalls).present(sheet, animated: false)
        await settle(app.window)
        sheet.presentingViewController?.dismiss(animated: false)
        await settle(app.window)
        #expect(app.log.lines.last == "home < paywall: dismiss")
    }

    @Test(arguments: [UIModalPresentationStyle.automatic, .pageSheet, .formSheet, .fullScreen])
    func `a sheet that the app presents by hand and the user swipes away is heard`(
        style: UIModalPresentationStyle
    ) async {
        app.flow.present(app.home, animated: false)
        let sheet = SettingsViewController()
        sheet.modalPresentationStyle = style
        app.home.present(sheet, animated: true)
        app.user.finishTransitions()
        if style == .fullScreen { sheet.dismiss(animated: true) } else { app.user.swipeToDismiss() }
        app.user.finishTransitions()
        await settle(app.window)
        let end = style == .fullScreen ? "dismiss" : "swipe_dismiss"
        #expect(
            app.log.lines == ["home < -: root", "settings < home: present", "home < settings: \(end)"]
        )
        #if DEBUG
        #expect(app.screens.audit().findings == [.screenOutsideFlows(screen: "settings", previous: "home")])
        #endif
    }

    @Test func `a stack that is presented by hand over a sheet is heard, and both when they go`() async {
        app.flow.present(app.home, animated: false)
        app.home.present(SettingsViewController(), animated: false)
        await settle(app.window)
        let stack = UINavigationController(rootViewController: ProfileViewController())
        app.home.presentedViewController?.present(stack, animated: false)
        await settle(app.window)
        app.home.dismiss(animated: false)
        await settle(app.window)
        #expect(
            app.log.lines == [
                "home < -: root", "settings < home: present", "profile < settings: present",
                "home < profile: dismiss",
            ]
        )
    }

    @Test func `a canceled swipe of a sheet that was presented by hand counts nothing`() async throws {
        app.flow.present(app.home, animated: false)
        app.home.present(SettingsViewController(), animated: false)
        await settle(app.window)
        try #require(app.user.beginSwipeToDismiss()).cancel()
        await settle(app.window)
        #expect(app.log.lines == ["home < -: root", "settings < home: present"])
    }

    #if DEBUG
    @Test func `a presentation by hand that dims nothing is found as long as it is in front`() async {
        app.flow.present(app.home, animated: false)
        let overlay = SettingsViewController()
        overlay.modalPresentationStyle = .overFullScreen
        app.home.present(overlay, animated: false)
        await settle(app.window)
        #expect(app.log.lines == ["home < -: root"])
        #expect(app.screens.audit().findings == [.screenOutsideFlows(screen: "settings", previous: "home")])
        overlay.dismiss(animated: false)
        await settle(app.window)
        #expect(app.screens.audit().findings.isEmpty)
    }
    #endif

    @Test func `an alert that is presented by hand is no screen`() async {
        app.flow.present(app.home, animated: false)
        let alert = UIAlertController(title: "Sure?", message: nil, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "Yes", style: .default))
        app.home.present(alert, animated: false)
        await settle(app.window)
        app.user.tapButton(at: 0)
        await settle(app.window)
        #expect(app.log.lines == ["home < -: root"])
    }
}

private final class _UIHostingView: UIView {}

private final class PaywallHost: UIViewController, ScreenNamed, PaywallScreen {
    let screenName = "paywall"
    var presentation: Presentation<PaywallSource>?
    override func loadView() { view = _UIHostingView(frame: .zero) }
}

@MainActor
private final class SilentDelegate: NSObject, UIAdaptivePresentationControllerDelegate {}

@MainActor
private final class NavigationDelegate: NSObject, UINavigationControllerDelegate {
    static let shared = NavigationDelegate()
}
