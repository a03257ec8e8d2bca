import EventTracking
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

@testable import FlowAnalytics

/// The first screen of an app and of a window: from a storyboard, in the background, without a name.
@MainActor
@Suite(.eachTiming) struct FirstScreenTests {
    let log = EventLog()
    let application = UIApplication()
    let home = HomeViewController()
    let window = UIWindow(frame: .zero)
    let stack: UINavigationController

    init() {
        stack = UINavigationController(rootViewController: home)
        window.rootViewController = stack
    }

    private func tracker(naming: ScreenNaming = .automatic) -> ScreenTracker {
        let log = log
        let screens = ScreenTracker(naming: naming) { log.append($0) }
        screens.application = ObjectIdentifier(application)
        let application = application
        screens.isInBackground = { application.applicationState == .background }
        return screens
    }

    @Test func `a first screen from a storyboard counts before the first one of a flow`() async {
        window.makeKeyAndVisible()
        let screens = tracker()
        stack.navigationFlow.tracked(by: screens).present(DetailViewController(), animated: false)
        HeadlessUser(in: window).goBack()
        #expect(log.lines == ["home < -: root", "detail < home: present", "home < detail: back"])
        #if DEBUG
        #expect(screens.audit().findings == [.screenOutsideFlows(screen: "home", previous: nil)])
        #endif
    }

    @Test func `it counts on the next turn where a flow has been decorated, and is called by nobody`() async {
        let screens = tracker()
        let flow = stack.navigationFlow.tracked(by: screens)
        window.makeKeyAndVisible()
        for _ in 0..<8 { await Task.yield() }
        #expect(log.lines == ["home < -: root"])
        flow.present(DetailViewController(), animated: false)
        #expect(log.lines == ["home < -: root", "detail < home: present"])
    }

    @Test func `nobody has seen it where a flow covers it in the turn in which the window becomes visible`() async {
        let screens = tracker()
        window.makeKeyAndVisible()
        stack.navigationFlow.tracked(by: screens).present(DetailViewController(), animated: false)
        for _ in 0..<8 { await Task.yield() }
        #expect(log.lines == ["detail < home: present"])
    }

    @Test func `restored screens of a stack count as the one in front`() async {
        stack.pushViewController(ProfileViewController(), animated: false)
        window.makeKeyAndVisible()
        stack.modalFlow.tracked(by: tracker()).present(SettingsViewController(), animated: false)
        await settle(window)
        #expect(log.lines == ["profile < -: root", "settings < profile: present"])
    }

    @Test func `a launch in the background counts what is in front when the app comes to the front`() async {
        HeadlessSystem(of: application).enterBackground()
        let screens = tracker()
        window.makeKeyAndVisible()
        let push = stack.navigationFlow.tracked(by: screens)
        push.present(DetailViewController(), animated: false)
        push.present(ProfileViewController(), animated: false)
        await settle(window)
        #expect(log.lines == [])
        HeadlessSystem(of: application).enterForeground()
        push.present(SettingsViewController(), animated: false)
        await settle(window)
        #expect(log.lines == ["profile < -: root", "settings < profile: present"])
    }

    @Test func `a scene in the background counts on its own, and a paywall there keeps its presentation`() async {
        let scene = UIWindowScene()
        window.windowScene = scene
        HeadlessSystem(of: scene).enterBackground()
        window.makeKeyAndVisible()
        let screens = tracker()
        let paywalls = PaywallAttribution<PaywallSource>(screens, ids: .counting("p"))
        stack.modalFlow.tracked(by: screens).attributed(to: .home, by: paywalls)
            .present(PaywallViewController(), animated: false)
        await settle(window)
        #expect(log.lines == [])
        HeadlessSystem(of: scene).enterForeground()
        await settle(window)
        #expect(log.lines == ["paywall < -: root [home p-1]"])
    }

    @Test func `a launch in the background that never comes to the front counts nothing`() async {
        HeadlessSystem(of: application).enterBackground()
        window.makeKeyAndVisible()
        let flow = stack.navigationFlow.tracked(by: tracker())
        flow.present(DetailViewController(), animated: false)
        flow.dismiss(animated: false)
        HeadlessUser(in: window).goBack()
        await settle(window)
        #expect(log.lines == [])
    }

    @Test func `a window without a name gives no previous screen, and none comes back to it`() async {
        let scene = UIWindowScene()
        window.windowScene = scene
        window.makeKeyAndVisible()
        let screens = tracker()
        let flow = stack.navigationFlow.tracked(by: screens)
        flow.present(DetailViewController(), animated: false)
        let overlay = UIWindow(windowScene: scene)
        let root = UIViewController()
        overlay.rootViewController = root
        overlay.makeKeyAndVisible()
        let paywalls = PaywallAttribution<PaywallSource>(screens, ids: .counting("p"))
        let modal = root.modalFlow.tracked(by: screens).attributed(to: .home, by: paywalls)
        modal.present(PaywallViewController(), animated: false)
        await settle(overlay)
        modal.dismiss(animated: false)
        await settle(overlay)
        overlay.isHidden = true
        HeadlessUser(in: window).goBack()
        #expect(
            log.lines == [
                "home < -: root", "detail < home: present", "paywall < detail: present [home p-1]",
                "paywall_close: dismiss [home p-1]", "home < detail: back",
            ]
        )
    }

    @Test func `a plain controller that the app names is a screen`() async {
        let root = UIViewController()
        window.rootViewController = root
        window.makeKeyAndVisible()
        let screens = tracker(naming: ScreenNaming { $0 === root ? "splash" : nil })
        root.modalFlow.tracked(by: screens).present(SettingsViewController(), animated: false)
        await settle(window)
        #expect(log.lines == ["splash < -: root", "settings < splash: present"])
    }
}
