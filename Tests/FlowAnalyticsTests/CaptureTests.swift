import EventTracking
import FlowAnalytics
import FlowEvents
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

/// Whole journeys, and the exact events that they leave.
@MainActor
@Suite(.eachTiming) struct CaptureTests {
    @Test func `a journey through a stack and a modal`() {
        let app = TestApp()
        app.flow.present(app.home)
        app.user.finishTransitions()
        app.flow.present(DetailViewController())
        app.user.finishTransitions()
        app.user.goBack()
        app.flow.present(DetailViewController(), animated: false)
        app.flow.replace(with: ProfileViewController())
        app.user.finishTransitions()
        let modal = app.modal(on: app.stack)
        modal.present(UINavigationController(rootViewController: SettingsViewController()))
        app.user.finishTransitions()
        app.user.swipeToDismiss()
        modal.present(SettingsViewController())
        app.user.finishTransitions()
        modal.dismiss()
        app.user.finishTransitions()
        app.flow.dismiss(animated: false)
        #expect(
            app.log.lines == [
                "home < -: root", "detail < home: present", "home < detail: back", "detail < home: present",
                "profile < detail: replace", "settings < profile: present", "profile < settings: swipe_dismiss",
                "settings < profile: present", "profile < settings: dismiss", "home < profile: dismiss",
            ]
        )
    }

    @Test func `a screen without a view in a window that is not visible is not looked at for ever`() async {
        /// A container that counts how often it is asked.
        final class Container: UIViewController, ScreenContainer {
            var count = 0
            var shownViewController: UIViewController? {
                count += 1
                return children.first
            }

            override func viewDidLoad() {
                super.viewDidLoad()
                for child in children { view.addSubview(child.view) }
            }
        }
        let app = TestApp()
        let window = UIWindow(frame: .zero)
        let (container, log) = (Container(), EventLog())
        container.addChild(ProfileViewController())
        let screens = ScreenTracker { log.append($0) }
        screens.application = ObjectIdentifier(app.application)
        let root = window.rootFlow.tracked(by: screens)
        root.replace(with: container, animated: false)
        for _ in 0..<100 { await Task.yield() }
        let count = container.count
        for _ in 0..<100 { await Task.yield() }
        #expect(container.count == count)
        // It is looked at when its window becomes visible: then it is heard what happens past the flows.
        window.makeKeyAndVisible()
        await settle(window)
        window.rootViewController = SettingsViewController()
        await settle(window)
        #expect(log.lines == ["profile < -: root", "settings < profile: root"])
    }

    @Test func `a screen is heard of once, also after hundreds of others`() async {
        let app = TestApp()
        app.flow.present(app.home, animated: false)
        for _ in 0..<300 { app.flow.present(DetailViewController(), animated: false) }
        await settle(app.window)
        let before = app.log.lines.count
        // Past the flows: only the views of the screens hear of this.
        app.stack.popToRootViewController(animated: false)
        await settle(app.window)
        app.stack.pushViewController(SettingsViewController(), animated: false)
        await settle(app.window)
        app.flow.dismiss(animated: false)
        await settle(app.window)
        #expect(
            app.log.lines.dropFirst(before) == [
                "home < detail: back", "settings < home: present", "home < settings: dismiss",
            ]
        )
    }

    @Test func `a journey from home and from profile to the paywall and a late purchase`() async {
        let app = TestApp()
        let paywall = PaywallViewController()
        let home = app.modal(on: app.home).attributed(to: .home, by: app.paywalls)
        let profile = app.modal(on: app.stack).attributed(to: .profile, by: app.paywalls)
        app.flow.present(app.home, animated: false)
        await settle(app.window)
        paywall |> home.present
        await settle(app.window)
        app.user.finishTransitions()
        let first = paywall.presentation
        first?.track("plan_selected")
        app.user.swipeToDismiss()
        await settle(app.window)
        app.flow.present(ProfileViewController(), animated: false)
        await settle(app.window)
        paywall |> profile.present
        await settle(app.window)
        app.user.finishTransitions()
        paywall.presentation?.track("purchase")
        first?.track("purchase")
        profile.dismiss(animated: false)
        await settle(app.window)
        #expect(
            app.log.lines == [
                "home < -: root", "paywall < home: present [home p-1]", "plan_selected [home p-1]",
                "paywall_close: swipe_dismiss [home p-1]", "home < paywall: swipe_dismiss", "profile < home: present",
                "paywall < profile: present [profile p-2]", "purchase [profile p-2]", "purchase [home p-1]",
                "paywall_close: dismiss [profile p-2]", "profile < paywall: dismiss",
            ]
        )
    }

    @Test func `a journey through tabs`() {
        let app = TestApp()
        let tabs = UITabBarController()
        let profileStack = UINavigationController()
        tabs.viewControllers = [app.stack, profileStack]
        app.window.rootViewController = tabs
        let profileFlow = profileStack.navigationFlow.tracked(by: app.screens)
        app.flow.present(app.home, animated: false)
        profileFlow.present(ProfileViewController(), animated: false)
        app.user.selectTab(1)
        app.user.selectTab(1)
        profileFlow.present(DetailViewController(), animated: false)
        app.user.selectTab(0)
        tabs.selectedIndex = 1
        profileFlow.dismiss(animated: false)
        #expect(
            app.log.lines == [
                "home < -: root", "profile < home: tab", "detail < profile: present", "home < detail: tab",
                "detail < home: tab", "profile < detail: dismiss",
            ]
        )
    }

    @Test func `a screen with an item names it each time it becomes current`() async {
        let app = TestApp()
        app.flow.present(app.home, animated: false)
        let article = ArticleViewController()
        article.itemID = "a-1"
        app.flow.present(article, animated: false)
        app.modal(on: app.stack).present(ProfileViewController(), animated: false)
        await settle(app.window)
        article.itemID = "a-2"
        app.modal(on: app.stack).dismiss(animated: false)
        await settle(app.window)
        article.itemID = nil
        app.flow.present(DetailViewController(), animated: false)
        app.user.goBack()
        #expect(app.log.events.map(\.screen) == ["home", "article", "profile", "article", "detail", "article"])
        let items: [[String: PropertyValue]] = [[:], ["item_id": "a-1"], [:], ["item_id": "a-2"], [:], [:]]
        #expect(app.log.events.map(\.properties) == items)
    }
}

private final class ArticleViewController: UIViewController, ItemScreen {
    var itemID: String?
}
