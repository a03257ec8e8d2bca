import FlowAnalytics
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

@MainActor
@Suite(.eachTiming) struct NavigatorTrackedTests {
    let app = TestApp()
    let navigator: Navigator

    init() {
        app.window.rootViewController = nil
        navigator = Navigator(window: app.window).tracked(by: app.screens)
    }

    private func take(_ steps: [Navigation]) throws {
        for step in steps {
            try navigator.handle(navigation: step, animated: false)
            app.user.finishTransitions()
        }
    }

    @Test func `every step is a screen view, through whatever flow it is taken`() throws {
        let steps: [Navigation] = [
            .root(.home), .push(.detail), .replace(.profile), .pop, .push(.detail), .push(.profile), .popToRoot,
            .present(.settings), .dismiss, .presentInNavigation(.settings), .push(.detail), .dismiss,
        ]
        try take(steps)
        #expect(
            app.log.lines == [
                "home < -: root", "detail < home: present", "profile < detail: replace", "home < profile: dismiss",
                "detail < home: present", "profile < detail: present", "home < profile: dismiss",
                "settings < home: present", "home < settings: dismiss", "settings < home: present",
                "detail < settings: present", "home < detail: dismiss",
            ]
        )
    }

    @Test func `selecting a tab is the transition that it is for the user`() throws {
        try take([.root(.tabs), .selectTab(1), .selectTab(1), .push(.detail), .selectTab(0)])
        #expect(
            app.log.lines == [
                "home < -: root", "profile < home: tab", "detail < profile: present", "home < detail: tab",
            ]
        )
    }

    @Test func `a new root takes what was presented with it, and counts once`() async throws {
        try take([.root(.home), .present(.settings), .root(.profile)])
        await settle(app.window)
        #expect(
            app.log.lines == ["home < -: root", "settings < home: present", "profile < settings: replace"]
        )
    }

    @Test func `a refused step counts nothing`() {
        #expect(throws: NavigationError(.noRoot, .pop)) { try navigator.handle(navigation: .pop) }
        #expect(app.log.lines.isEmpty)
    }

    @Test func `a link that opens a paywall says that it did`() async throws {
        let link = navigator.attributed(to: PaywallSource.profile, by: app.paywalls)
        try link.handle(navigations: [.root(.home), .presentInNavigation(.paywall)], animated: false)
        await settle(app.window)
        #expect(app.log.lines == ["paywall < -: root [profile p-1]"])
    }

    @Test func `of a link through several screens, the last one counts`() async throws {
        try take([.root(.home), .push(.profile)])
        try navigator.attributed(to: PaywallSource.home, by: app.paywalls).handle(navigation: .present(.paywall))
        app.user.finishTransitions()
        navigator.open([.dismiss, .popToRoot, .push(.settings), .push(.detail)])
        await settle(app.window)
        app.user.goBack()
        #expect(
            app.log.lines == [
                "home < -: root", "profile < home: present", "paywall < profile: present [home p-1]",
                "paywall_close: dismiss [home p-1]", "detail < paywall: present", "settings < detail: back",
            ]
        )
    }

    @Test func `a link that leads back to where it began counts nothing`() async throws {
        try take([.root(.home), .push(.profile)])
        try navigator.handle(
            navigations: [.popToRoot, .push(.detail), .pop, .push(.detail), .popToRoot, .pop].dropLast()
        )
        await settle(app.window)
        #expect(app.log.lines == ["home < -: root", "profile < home: present", "home < profile: dismiss"])
    }

    @Test func `of a link that is refused on its way, the screen where it ends counts`() async throws {
        try take([.root(.home)])
        navigator.open([.push(.detail), .push(.profile), .dismiss, .push(.settings)])
        await settle(app.window)
        try navigator.handle(navigation: .push(.settings), animated: false)
        #expect(app.log.lines == ["home < -: root", "profile < home: present", "settings < profile: present"])
    }

    @Test func `a link whose flow drops its completion ends all the same`() async throws {
        try take([.root(.home)])
        let forgetful = Navigator(window: app.window).decorated { flow in
            var flow = flow
            let present = flow.presentViewController
            flow.presentViewController = { controller, animated, _ in present(controller, animated, nil) }
            return flow
        }
        .tracked(by: app.screens)
        try forgetful.handle(navigations: [.push(.profile), .push(.detail)], animated: false)
        await settle(app.window)
        await Task.yield()
        try navigator.handle(navigation: .push(.settings), animated: false)
        #expect(app.log.lines.last == "settings < profile: present")
    }
}

extension Screen {
    fileprivate static var home: Screen { Screen { HomeViewController() } }
    fileprivate static var detail: Screen { Screen { DetailViewController() } }
    fileprivate static var profile: Screen { Screen { ProfileViewController() } }
    fileprivate static var settings: Screen { Screen { SettingsViewController() } }
    fileprivate static var paywall: Screen { Screen { PaywallViewController() } }
    fileprivate static var tabs: Screen {
        Screen {
            let tabs = UITabBarController()
            tabs.viewControllers = [HomeViewController(), ProfileViewController()].map {
                UINavigationController(rootViewController: $0)
            }
            return tabs
        }
    }
}
