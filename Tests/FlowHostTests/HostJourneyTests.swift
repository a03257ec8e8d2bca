import EventTracking
import FlowAnalytics
import FlowKit
import Testing
import UIPlatform

/// The journeys that cost the source of a paywall in real apps, in a host app on the iOS simulator and in headless UIKit.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5))) struct HostJourneyTests {
    private let log = HostLog()
    private let screens: ScreenTracker
    private let paywalls: PaywallAttribution<PaywallSource>
    private let clock = StoppedClock()

    init() {
        screens = ScreenTracker(clock: clock) { [log] in log.append($0) }
        paywalls = PaywallAttribution(screens)
    }

    /// Waits until so many events are tracked, and compares.
    private func expect(_ lines: String..., sourceLocation: SourceLocation = #_sourceLocation) async {
        await wait { log.lines.count >= lines.count }
        #expect(log.lines == lines, sourceLocation: sourceLocation)
    }

    @Test func `a paywall in an undeclared container keeps its source`() async throws {
        let host = try HostWindow()
        defer { host.close() }
        host.window.rootViewController = DrawerViewController(around: host.stack)
        host.window.makeKeyAndVisible()
        let flow = host.stack.navigationFlow.tracked(by: screens)
        flow.present(HomeViewController(), animated: false)
        flow.present(DetailViewController(), animated: false)
        flow.attributed(to: .home, by: paywalls).present(PaywallViewController(), animated: false)
        await expect(
            "home: root",
            "detail < home: present",
            "paywall < detail: present [home]"
        )
        await wait { !log.loadedFrom.isEmpty }
        #expect(log.loadedFrom == ["home"])
    }

    @Test func `a paywall that dismisses itself ends once`() async throws {
        let host = try HostWindow()
        defer { host.close() }
        host.window.rootViewController = host.stack
        host.window.makeKeyAndVisible()
        host.stack.navigationFlow.tracked(by: screens).present(HomeViewController(), animated: false)
        let paywall = PaywallViewController()
        host.stack.modalFlow.tracked(by: screens).attributed(to: .home, by: paywalls).present(paywall, animated: false)
        await expect("home: root", "paywall < home: present [home]")
        paywall.dismiss(animated: false)
        await expect(
            "home: root",
            "paywall < home: present [home]",
            "paywall_close: dismiss [home]",
            "home < paywall: dismiss"
        )
    }

    @Test func `an animated journey to the paywall and back`() async throws {
        let host = try HostWindow()
        defer { host.close() }
        host.window.rootViewController = host.stack
        host.window.makeKeyAndVisible()
        let flow = host.stack.navigationFlow.tracked(by: screens)
        flow.present(HomeViewController(), animated: false)
        flow.present(DetailViewController())
        await expect("home: root", "detail < home: present")
        let modal = host.stack.modalFlow.tracked(by: screens)
        modal.attributed(to: .profile, by: paywalls).present(PaywallViewController())
        await expect(
            "home: root",
            "detail < home: present",
            "paywall < detail: present [profile]"
        )
        modal.dismiss()
        await wait { log.lines.count == 5 }
        host.stack.popViewController(animated: true)
        await expect(
            "home: root",
            "detail < home: present",
            "paywall < detail: present [profile]",
            "paywall_close: dismiss [profile]",
            "detail < paywall: dismiss",
            "home < detail: back"
        )
    }

    @Test func `home, an hour in the background, and the paywall`() async throws {
        let host = try HostWindow()
        defer { host.close() }
        host.window.rootViewController = host.stack
        host.window.makeKeyAndVisible()
        let flow = host.stack.navigationFlow.tracked(by: screens)
        flow.present(HomeViewController(), animated: false)
        await expect("home: root")
        screens.enterBackground()
        clock.advance(by: .seconds(3600))
        screens.enterForeground()
        flow.attributed(to: .home, by: paywalls).present(PaywallViewController(), animated: false)
        await expect("home: root", "home: resume", "paywall < home: present [home]")
    }

    @Test func `a refused paywall keeps the source of its next attempt`() async throws {
        let host = try HostWindow()
        defer { host.close() }
        host.window.rootViewController = host.stack
        host.window.makeKeyAndVisible()
        #if DEBUG
        screens.sayRefusal = { _ in }
        #endif
        host.stack.navigationFlow.tracked(by: screens).present(HomeViewController(), animated: false)
        host.stack.modalFlow.present(UIViewController(), animated: false)
        await wait { host.stack.presentedViewController?.isBeingPresented == false }
        let paywall = PaywallViewController()
        let modal = host.stack.modalFlow.tracked(by: screens)
        modal.attributed(to: .profile, by: paywalls).present(paywall, animated: false)
        #expect(paywall.presentation == nil)
        modal.dismiss(animated: false)
        await wait { host.stack.presentedViewController == nil }
        modal.attributed(to: .home, by: paywalls).present(paywall, animated: false)
        await wait { log.lines.last == "paywall < home: present [home]" }
        #expect(log.lines.last == "paywall < home: present [home]")
        #expect(!log.lines.contains { $0.contains("[profile]") })
    }

    @Test func `two windows have their own screens`() async throws {
        let first = try HostWindow()
        let second = try HostWindow()
        defer {
            second.close()
            first.close()
        }
        for host in [first, second] {
            host.window.rootViewController = host.stack
            host.window.makeKeyAndVisible()
        }
        first.stack.navigationFlow.tracked(by: screens).present(HomeViewController(), animated: false)
        second.stack.navigationFlow.tracked(by: screens).present(ProfileViewController(), animated: false)
        first.stack.navigationFlow.tracked(by: screens).present(DetailViewController(), animated: false)
        await expect("home: root", "profile: root", "detail < home: present")
    }

    @Test func `a navigator sets the root before the window is visible`() async throws {
        let host = try HostWindow()
        defer { host.close() }
        let navigator = Navigator(window: host.window).tracked(by: screens)
        try navigator.handle(navigation: .root(Screen { HomeViewController() }), animated: false)
        host.window.makeKeyAndVisible()
        await expect("home: root")
    }
}

/// A clock that moves when the test says so.
// Unchecked: only the main actor uses it in these tests.
private final class StoppedClock: Clock, @unchecked Sendable {
    struct Instant: InstantProtocol {
        var offset = Swift.Duration.zero

        func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private(set) var now = Instant()
    let minimumResolution = Swift.Duration.zero

    func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {}
    func advance(by duration: Swift.Duration) { now = now.advanced(by: duration) }
}
