import Foundation
import HeadlessUIKit
import Testing

/// Tabs for which the bar of a phone has no room.
@MainActor
@Suite struct MoreTests {
    let window = UIWindow(frame: .zero)
    let tabs = UITabBarController()
    let controllers = (0..<7).map { _ in UIViewController() }

    init() {
        tabs.viewControllers = controllers
        window.rootViewController = tabs
        window.makeKeyAndVisible()
    }

    @Test func `the fifth of seven tabs is shown by the navigation controller of More`() {
        HeadlessUser(in: window).selectTab(4)
        #expect(tabs.selectedViewController === controllers[4])
        #expect(tabs.selectedIndex == 4)
        #expect(tabs.moreNavigationController.topViewController === controllers[4])
        #expect(controllers[4].viewIfLoaded?.window === window)
        #expect(controllers[0].viewIfLoaded?.window == nil)
    }

    @Test func `back in the list of More, More is selected, and a tab can be selected again`() {
        let user = HeadlessUser(in: window)
        user.selectTab(5)
        #expect(user.goBack())
        #expect(tabs.selectedViewController === tabs.moreNavigationController)
        #expect(tabs.selectedIndex == NSNotFound)
        user.selectTab(5)
        #expect(user.screen === controllers[5])
        user.selectTab(6)
        #expect(user.screen === controllers[6] && controllers[5].parent === tabs)
        user.selectTab(0)
        #expect(user.screen === controllers[0])
    }

    @Test func `the selected tab moves into More and out of it without a new appearance`() {
        let moved = MoveRecorder()
        tabs.viewControllers = [moved]
        #expect(moved.appearances == 1)
        tabs.viewControllers = controllers.prefix(5) + [moved]
        #expect(tabs.moreNavigationController.topViewController === moved)
        tabs.viewControllers = [moved] + controllers.prefix(2)
        #expect(moved.parent === tabs && moved.appearances == 1)
        #expect(moved.viewIfLoaded?.window === window)
    }

    @Test func `a tab in More that is removed leaves the first one selected`() {
        HeadlessUser(in: window).selectTab(6)
        tabs.viewControllers = Array(controllers.prefix(3))
        #expect(tabs.selectedViewController === controllers[0])
        #expect(controllers[6].parent == nil && controllers[6].viewIfLoaded?.window == nil)
    }

    @Test func `five tabs have room, and so have seven on an iPad`() {
        let pad = UIWindow(frame: .zero)
        pad.traitOverrides.userInterfaceIdiom = .pad
        tabs.viewControllers = Array(controllers.prefix(5))
        HeadlessUser(in: window).selectTab(4)
        #expect(controllers[4].parent === tabs)
        let wide = UITabBarController()
        let seven = (0..<7).map { _ in UIViewController() }
        pad.rootViewController = wide
        pad.makeKeyAndVisible()
        wide.viewControllers = seven
        HeadlessUser(in: pad).selectTab(6)
        #expect(seven[6].parent === wide)
    }
}
