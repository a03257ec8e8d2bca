import Foundation
import HeadlessUIKit
import Testing

@MainActor
@Suite struct UITabBarControllerTests {
    let tabs = UITabBarController()
    let first = UIViewController()
    let second = UIViewController()

    @Test func `the first tab is selected, and stays so while it is there`() {
        #expect(tabs.selectedIndex == NSNotFound)
        tabs.viewControllers = [first, second]
        #expect(tabs.selectedViewController === first)
        tabs.viewControllers = [second, first]
        #expect(tabs.selectedIndex == 1)
        tabs.viewControllers = [second]
        #expect(tabs.selectedViewController === second)
        #expect(first.parent == nil)
    }

    @Test func `only a controller with a tab can be selected`() {
        tabs.viewControllers = [first, second]
        tabs.selectedIndex = 7
        #expect(tabs.selectedViewController === first)
        tabs.selectedViewController = UIViewController()
        #expect(tabs.selectedViewController === first)
        tabs.selectedViewController = second
        #expect(tabs.selectedIndex == 1)
    }
}
