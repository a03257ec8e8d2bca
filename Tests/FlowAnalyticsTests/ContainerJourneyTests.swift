import FlowAnalytics
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

/// Journeys through containers that the app has not declared, and through UIKit's.
@MainActor
@Suite(.eachTiming) struct ContainerJourneyTests {
    let app = TestApp()

    private func put(_ child: UIViewController, into container: UIViewController) {
        container.addChild(child)
        container.view.addSubview(child.view)
        child.didMove(toParent: container)
    }

    /// Home, detail, back, paywall, as a user of the app does it.
    private func journey() {
        app.flow.present(app.home, animated: false)
        app.flow.present(DetailViewController())
        app.user.finishTransitions()
        app.flow.dismiss()
        app.user.finishTransitions()
        app.flow.attributed(to: .home, by: app.paywalls).present(PaywallViewController(), animated: false)
    }

    private static let expected = [
        "home < -: root", "detail < home: present", "home < detail: dismiss", "paywall < home: present [home p-1]",
    ]

    @Test func `in a drawer that nobody has declared, the screens of its stack are the screens`() {
        let drawer = DrawerViewController()
        app.window.rootViewController = drawer
        put(app.stack, into: drawer)
        put(MenuViewController(), into: drawer)
        journey()
        #expect(app.log.lines == Self.expected)
        #if DEBUG
        #expect(app.screens.audit().findings == [.undeclaredContainer(controller: "DrawerViewController")])
        #expect("\(app.screens.audit())".contains("conform it to ScreenContainer"))
        #endif
    }

    #if DEBUG
    @Test func `a paywall in a container that nobody has declared is found by the audit`() async {
        let container = UndeclaredContainer()
        put(PaywallViewController(), into: container)
        app.flow.present(app.home, animated: false)
        app.modal(on: app.stack).attributed(to: .home, by: app.paywalls).present(container, animated: false)
        await settle(app.window)
        #expect(app.log.lines == ["home < -: root", "undeclared_container < home: present"])
        let found = ScreenAudit.Finding.paywallInUndeclaredContainer(
            paywall: "PaywallViewController",
            controller: "UndeclaredContainer"
        )
        #expect(app.screens.audit().findings.first == found)
        #expect("\(app.screens.audit())".contains("conform the container to ScreenContainer"))
    }
    #endif

    @Test func `a container that shows another child unheard is noticed at the next call of a flow`() async {
        let app = TestApp()
        let menu = SideMenuController()
        menu.add(app.home)
        menu.add(SettingsViewController())
        app.flow.present(menu, animated: false)
        await settle(app.window)
        // Both children stay in the window, so that no view moves.
        menu.shown = 1
        app.modal(on: app.home).present(DetailViewController(), animated: false)
        await settle(app.window)
        #expect(
            app.log.lines == ["home < -: root", "settings < home: replace late", "detail < settings: present"]
        )
    }

    @Test func `in a page controller, a split view, tabs and a hosting controller, the screens are the screens`() {
        let roots = [
            UIPageViewController(), UISplitViewController(), UITabBarController(), UIHostingController<AppView>(),
        ]
        for root in roots {
            let app = TestApp()
            app.window.rootViewController = root
            switch root {
            case let pages as UIPageViewController:
                pages.setViewControllers([app.stack], direction: .forward, animated: false)
            case let split as UISplitViewController: split.viewControllers = [MenuViewController(), app.stack]
            case let tabs as UITabBarController: tabs.viewControllers = [app.stack]
            default: put(app.stack, into: root)
            }
            app.flow.present(app.home, animated: false)
            app.flow.present(DetailViewController(), animated: false)
            app.stack.popViewController(animated: false)
            app.flow.attributed(to: .home, by: app.paywalls).present(PaywallViewController(), animated: false)
            #expect(app.log.lines.count == 4, "\(type(of: root))")
            #expect(app.log.lines.last == Self.expected.last)
        }
    }

    @Test func `a child that a flow shows in a host of the app is the screen, and the host again when it goes`() {
        let host = HomeViewController()
        app.stack.viewControllers = [host]
        app.flow.replace(with: host)
        let slot = UIView(frame: .zero)
        host.view.addSubview(slot)
        let flow = host.embeddingFlow { slot }.tracked(by: app.screens)
        app.flow.present(DetailViewController(), animated: false)
        app.flow.dismiss(animated: false)
        flow.present(SettingsViewController())
        flow.present(ProfileViewController())
        flow.dismiss()
        flow.dismiss()
        #expect(
            app.log.lines == [
                "home < -: root", "detail < home: present", "home < detail: dismiss", "settings < home: present",
                "profile < settings: present", "settings < profile: dismiss", "home < settings: dismiss",
            ]
        )
    }

    @Test func `a screen with small parts of its own stays the screen`() async {
        app.flow.present(app.home, animated: false)
        await settle(app.window)
        let part = MenuViewController()
        put(part, into: app.home)
        part.modalFlow.tracked(by: app.screens).present(SettingsViewController(), animated: false)
        await settle(app.window)
        #expect(app.log.lines == ["home < -: root", "settings < home: present"])
    }

    @Test func `a page that the user turns is a screen, and one that is only loaded is not`() throws {
        let pages = UIPageViewController()
        let source = Pages([HomeViewController(), DetailViewController(), ProfileViewController()])
        pages.dataSource = source
        app.window.rootViewController = pages
        let flow = Flow(
            presentViewController: { _, _, completion in completion?() },
            replaceViewController: { [weak pages] controller, animated in
                pages?.setViewControllers([controller], direction: .forward, animated: animated)
            },
            dismissViewController: { _, completion in completion?() },
            currentViewController: { [weak pages] in pages?.viewControllers?.first }
        )
        .tracked(by: app.screens)
        flow.replace(with: source.pages[0])
        try #require(app.user.beginTurn()).cancel()
        app.user.turnPage()
        app.user.turnPage()
        app.user.turnPage(.reverse)
        #expect(
            app.log.lines == [
                "home < -: root", "detail < home: replace", "profile < detail: replace", "detail < profile: replace",
            ]
        )
    }

    @Test func `ignored screens neither count nor hide what lies beneath`() async {
        let app = TestApp(ignoring: .classes(ShareSheet.self, DebugOverlay.self))
        app.flow.present(app.home, animated: false)
        await settle(app.window)
        let modal = app.modal(on: app.stack)
        modal.present(SharePhotos(), animated: false)
        await settle(app.window)
        app.user.swipeToDismiss()
        await settle(app.window)
        app.flow.present(DetailViewController(), animated: false)
        await settle(app.window)
        app.home.present(ShareSheet(), animated: false)
        await settle(app.window)
        app.flow.dismiss(animated: false)
        await settle(app.window)
        app.window.rootViewController?.dismiss(animated: false)
        await settle(app.window)
        app.flow.present(DebugOverlay(), animated: false)
        await settle(app.window)
        app.flow.dismiss(animated: false)
        await settle(app.window)
        modal.present(SettingsViewController(), animated: false)
        await settle(app.window)
        #expect(
            app.log.lines == [
                "home < -: root", "detail < home: present", "home < detail: dismiss", "settings < home: present",
            ]
        )
    }

    @Test func `an active search shows its results, and without its own results nothing new`() async {
        app.flow.present(app.home, animated: false)
        await settle(app.window)
        let modal = app.modal(on: app.stack)
        modal.present(UISearchController(searchResultsController: nil), animated: false)
        await settle(app.window)
        modal.dismiss(animated: false)
        await settle(app.window)
        modal.present(UISearchController(searchResultsController: DetailViewController()), animated: false)
        await settle(app.window)
        modal.dismiss(animated: false)
        await settle(app.window)
        #expect(app.log.lines == ["home < -: root", "detail < home: present", "home < detail: dismiss"])
    }

    @Test func `a hosting controller is named after its root view, and one without a name is found`() {
        app.flow.present(UIHostingController<HomeView>(), animated: false)
        app.flow.present(UIHostingController<ModifiedContent<ProfileScreen, Int>>(), animated: false)
        app.flow.present(UIHostingController<AnyView>(), animated: false)
        #expect(
            app.log.lines == [
                "home < -: root", "profile < home: present", "ui_hosting < profile: present",
            ]
        )
        #if DEBUG
        #expect(app.screens.audit().findings == [.unnamedHostingController(screen: "ui_hosting")])
        #endif
    }
}

private final class DrawerViewController: UIViewController {}
private final class MenuViewController: UIViewController {}
private class ShareSheet: UIViewController {}
private final class SharePhotos: ShareSheet {}
private final class DebugOverlay: UIViewController {}
private final class UIHostingController<Content>: UIViewController {}
private struct HomeView {}
private struct ProfileScreen {}
private struct AppView {}
private struct AnyView {}
private struct ModifiedContent<Content, Modifier> {}

@MainActor
private final class Pages: NSObject, UIPageViewControllerDataSource {
    let pages: [UIViewController]

    init(_ pages: [UIViewController]) {
        self.pages = pages
        super.init()
    }

    private func page(_ offset: Int, from controller: UIViewController) -> UIViewController? {
        guard let index = pages.firstIndex(where: { $0 === controller }), pages.indices.contains(index + offset) else {
            return nil
        }
        return pages[index + offset]
    }

    func pageViewController(
        _ pageViewController: UIPageViewController,
        viewControllerBefore viewController: UIViewController
    ) -> UIViewController? { page(-1, from: viewController) }

    func pageViewController(
        _ pageViewController: UIPageViewController,
        viewControllerAfter viewController: UIViewController
    ) -> UIViewController? { page(1, from: viewController) }
}

/// A container whose children are all in the window.
private final class SideMenuController: UIViewController, ScreenContainer {
    var shown = 0
    var shownViewController: UIViewController? { children[shown] }

    func add(_ child: UIViewController) {
        addChild(child)
        view.addSubview(child.view)
        child.didMove(toParent: self)
    }
}
