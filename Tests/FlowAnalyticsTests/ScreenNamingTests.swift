import EventTracking
import FlowKit
import HeadlessUIKit
import Testing

@testable import FlowAnalytics

@MainActor
@Suite struct ScreenNamingTests {
    @Test(arguments: [
        ("HomeViewController", "home"), ("UserProfileViewController", "user_profile"), ("FAQViewController", "faq"),
        ("HTMLPageController", "html_page"), ("SettingsVC", "settings"), ("ViewController", "view"),
        ("Onboarding2Step", "onboarding2_step"), ("HostingController<ProfileView>", "hosting"), ("VC", "vc"),
    ])
    func `the fallback is the type's name in snake case`(type: String, name: String) {
        #expect(ScreenNaming.fallback(forType: type) == name)
    }

    @Test func `a controller's own name goes before the mapping, the mapping before the type`() {
        let app = TestApp(naming: ScreenNaming { $0 is HomeViewController || $0 is NamedScreen ? "mapped" : nil })
        app.flow.present(app.home, animated: false)
        app.flow.present(NamedScreen(), animated: false)
        app.flow.present(DetailViewController(), animated: false)
        #expect(app.log.events.map(\.screen) == ["mapped", "own", "detail"])
    }

    @Test func `a container has no name, whatever it shows`() {
        let app = TestApp()
        let root = ContainerViewController()
        app.window.rootViewController = root
        let tabs = UITabBarController()
        tabs.viewControllers = [UINavigationController(rootViewController: app.home)]
        app.modal(on: root).present(tabs, animated: false)
        app.modal(on: tabs).present(ContainerViewController(), animated: false)
        app.modal(on: tabs).dismiss(animated: false)
        #expect(app.log.events.map(\.screen) == ["home"])
    }
}

private final class NamedScreen: UIViewController, ScreenNamed {
    var screenName: String { "own" }
}
