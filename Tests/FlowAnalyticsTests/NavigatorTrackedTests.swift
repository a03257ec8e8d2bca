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

    @Test func `every step is a screen view, through whatever flow it is taken`() throws {
        let steps: [Navigation] = [
            .root(.home), .push(.detail), .replace(.profile), .pop, .push(.detail), .push(.profile), .popToRoot,
            .present(.settings), .dismiss, .presentInNavigation(.settings), .push(.detail), .dismiss,
        ]
        try navigator.handle(navigations: steps)
        app.user.finishTransitions()
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
        try navigator.handle(navigations: [.root(.tabs), .selectTab(1), .selectTab(1), .push(.detail), .selectTab(0)])
        #expect(
            app.log.lines == [
                "home < -: root", "profile < home: tab", "detail < profile: present", "home < detail: tab",
            ]
        )
    }

    @Test func `a new root takes what was presented with it, and counts once`() async throws {
        try navigator.handle(navigations: [.root(.home), .present(.settings), .root(.profile)], animated: false)
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
        #expect(app.log.lines == ["home < -: root", "paywall < home: present [profile p-1]"])
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
