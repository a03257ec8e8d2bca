import FlowAnalytics
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

/// Containers that move their screens, and controllers of Apple's that are no screens.
@MainActor
@Suite(.eachTiming) struct AdaptiveContainerTests {
    let app = TestApp()
    let detail = DetailViewController()

    /// A list and what is selected in it, and a visit to another screen, so that the tracker knows the window.
    private func splitApp(secondary: UIViewController) async -> (UISplitViewController, UINavigationController) {
        let split = UISplitViewController()
        let list = UINavigationController(rootViewController: ProfileViewController())
        split.viewControllers = [list, secondary]
        app.window.rootViewController = nil
        app.window.rootFlow.tracked(by: app.screens).present(split, animated: false)
        await settle(app.window)
        return (split, list)
    }

    @Test func `a split view that collapses and expands keeps its screen, and a pop in it is a pop`() async {
        _ = await splitApp(secondary: detail)
        for width in [UIUserInterfaceSizeClass.compact, .regular, .compact] {
            app.window.traitOverrides.horizontalSizeClass = width
            await settle(app.window)
        }
        app.user.goBack()
        await settle(app.window)
        #expect(app.log.lines == ["detail < -: root", "profile < detail: back"])
    }

    @Test func `a stack in the secondary column is popped screen by screen, then as a whole`() async {
        let inner = UINavigationController(rootViewController: detail)
        _ = await splitApp(secondary: inner)
        inner.navigationFlow.tracked(by: app.screens).present(SettingsViewController(), animated: false)
        app.window.traitOverrides.horizontalSizeClass = .compact
        await settle(app.window)
        app.user.goBack()
        app.user.swipeBack()
        await settle(app.window)
        #expect(
            app.log.lines == [
                "detail < -: root", "settings < detail: present", "detail < settings: back", "profile < detail: back",
            ]
        )
    }

    @Test func `a list in a collapsed split view opens its screens as pushes`() async {
        app.window.traitOverrides.horizontalSizeClass = .compact
        let (_, list) = await splitApp(secondary: detail)
        app.user.goBack()
        list.navigationFlow.tracked(by: app.screens).present(app.home, animated: false)
        app.user.goBack()
        await settle(app.window)
        #expect(
            app.log.lines == [
                "detail < -: root", "profile < detail: back", "home < profile: present", "profile < home: back",
            ]
        )
    }

    @Test func `a split view that the app collapses by hand keeps its screen`() async {
        let (split, list) = await splitApp(secondary: detail)
        split.viewControllers = [list]
        list.pushViewController(detail, animated: false)
        app.user.goBack()
        await settle(app.window)
        #expect(app.log.lines == ["detail < -: root", "profile < detail: back"])
    }

    @Test func `a secondary column that is only taken away leaves the list`() async {
        let (split, list) = await splitApp(secondary: detail)
        split.viewControllers = [list]
        await settle(app.window)
        await Task.yield()
        #expect(app.log.lines == ["detail < -: root", "profile < detail: replace"])
    }

    private func tabApp(_ count: Int) async -> UITabBarController {
        let tabs = UITabBarController()
        tabs.viewControllers = [app.home, detail] + (2..<count).map { _ in UIViewController() }
        app.window.rootViewController = nil
        app.window.rootFlow.tracked(by: app.screens).present(tabs, animated: false)
        await settle(app.window)
        return tabs
    }

    @Test func `a tab that moves into More and out of it stays the screen`() async {
        let tabs = await tabApp(2)
        app.user.selectTab(1)
        let others = (0..<5).map { _ in UIViewController() }
        tabs.viewControllers = [app.home] + others + [detail]
        await settle(app.window)
        tabs.viewControllers = [app.home, detail]
        await settle(app.window)
        #expect(app.log.lines == ["home < -: root", "detail < home: tab"])
    }

    @Test func `tabs of More are tabs, its list is no screen, and what is pushed there is pushed`() async {
        let tabs = await tabApp(4)
        let settings = SettingsViewController(), profile = ProfileViewController()
        tabs.viewControllers = (tabs.viewControllers ?? []) + [settings, profile]
        app.user.selectTab(4)
        await settle(app.window)
        let more = tabs.moreNavigationController
        more.navigationFlow.tracked(by: app.screens).present(UINamedViewController(), animated: false)
        app.user.goBack()
        app.user.goBack()
        await settle(app.window)
        app.user.selectTab(5)
        await settle(app.window)
        #expect(
            app.log.lines == [
                "home < -: root", "settings < home: tab", "ui_named < settings: present", "settings < ui_named: back",
                "profile < settings: tab",
            ]
        )
    }

    @Test func `a tab that is selected in the list of More is heard, whatever was on screen before`() async {
        let tabs = await tabApp(4)
        let profile = ProfileViewController()
        tabs.viewControllers = (tabs.viewControllers ?? []) + [UIViewController(), profile]
        tabs.selectedViewController = tabs.moreNavigationController
        await settle(app.window)
        #expect(app.log.lines == ["home < -: root"])
        tabs.selectedViewController = profile
        await settle(app.window)
        #expect(app.log.lines == ["home < -: root", "profile < home: tab"])
    }

    @Test func `beneath an active search, screens come and go`() async {
        app.flow.present(app.home, animated: false)
        app.home.definesPresentationContext = true
        app.home.present(UISearchController(searchResultsController: nil), animated: false)
        await settle(app.window)
        app.flow.present(detail, animated: false)
        app.user.goBack()
        await settle(app.window)
        app.home.dismiss(animated: false)
        await settle(app.window)
        #expect(app.log.lines == ["home < -: root", "detail < home: present", "home < detail: back"])
    }

    @Test func `results of a search count while they are shown`() async {
        app.flow.present(app.home, animated: false)
        let results = ProfileViewController()
        results.loadViewIfNeeded()
        results.view.isHidden = true
        let search = UISearchController(searchResultsController: results)
        app.home.present(search, animated: false)
        await settle(app.window)
        #expect(app.log.lines == ["home < -: root"])
        results.view.isHidden = false
        app.flow.present(detail, animated: false)
        await settle(app.window)
        #expect(app.log.lines.dropFirst().first == "profile < home: present late")
    }

    @Test func `Apple's own controllers are no screens, nor are their subclasses`() async {
        app.flow.present(app.home, animated: false)
        let modal = app.modal(on: app.stack)
        for controller in [
            UIActivityViewController(), AvatarPicker(), MFMailComposeViewController(),
            _UIContextMenuActionsOnlyViewController(),
        ] {
            modal.present(controller, animated: false)
            await settle(app.window)
            controller.dismiss(animated: false)
            await settle(app.window)
        }
        modal.present(SFSafariViewController(), animated: false)
        await settle(app.window)
        #expect(app.log.lines == ["home < -: root", "sf_safari < home: present"])
    }

    @Test func `one of Apple's controllers that the app names is a screen`() async {
        let app = TestApp(naming: ScreenNaming { $0 is UIActivityViewController ? "share" : nil })
        app.flow.present(app.home, animated: false)
        app.modal(on: app.stack).present(UIActivityViewController(), animated: false)
        await settle(app.window)
        app.modal(on: app.stack).dismiss(animated: false)
        await settle(app.window)
        #expect(app.log.lines == ["home < -: root", "share < home: present", "home < share: dismiss"])
    }
}

private final class UINamedViewController: UIViewController {}
private final class UIActivityViewController: UIViewController {}
private class UIImagePickerController: UINavigationController {}
private final class AvatarPicker: UIImagePickerController {}
private final class MFMailComposeViewController: UINavigationController {}
private final class _UIContextMenuActionsOnlyViewController: UIViewController {}
private final class SFSafariViewController: UIViewController {}
