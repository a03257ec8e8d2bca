import EventTracking
import EventTrackingTestKit
import FlowAnalytics
import FlowEvents
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

/// Journeys that leave the app and come back, and journeys in several windows.
@MainActor
@Suite(.eachTiming) struct LifecycleJourneyTests {
    private let time = TestTime()
    private let recorder = EventRecorder()

    private func tracker(filter: EventFilter = .everything) -> Tracker {
        Tracker(
            source: "app://test",
            identity: .memory(),
            sink: .recording(recorder),
            filter: filter,
            now: { [time] in time.now },
            clock: ManualClock()
        )
    }

    /// An app in scenes with one tracker.
    @MainActor
    private final class SceneApp {
        let screens: ScreenTracker
        private let application = UIApplication()
        var windows: [(scene: UIWindowScene, window: UIWindow, stack: UINavigationController)] = []

        init(_ tracker: Tracker) {
            screens = ScreenTracker(tracker)
            screens.application = ObjectIdentifier(application)
        }

        func open() -> Flow {
            let (window, stack) = addHidden()
            window.makeKeyAndVisible()
            return stack.navigationFlow.tracked(by: screens)
        }

        func addHidden() -> (window: UIWindow, stack: UINavigationController) {
            let scene = UIWindowScene()
            let window = UIWindow(windowScene: scene)
            let stack = UINavigationController()
            window.rootViewController = stack
            windows.append((scene, window, stack))
            return (window, stack)
        }
    }

    private func lines(_ tracker: Tracker) async throws -> [String] {
        await tracker.flush()
        var sessions: [String] = []
        return try recorder.events.map { event in
            let session = event.sessionID ?? "-"
            if !sessions.contains(session) { sessions.append(session) }
            let number = (sessions.firstIndex(of: session) ?? -1) + 1
            let source = event.paywallSource.map { " [\($0)]" } ?? ""
            return
                "\(number) \(event.screen ?? event.type) < \(event.previousScreen ?? "-"): \(event.transition ?? "-")"
                + source
        }
    }

    @Test func `home, an hour in the background, the paywall: home is in the new session too`() async throws {
        let tracker = tracker()
        let app = SceneApp(tracker)
        let flow = app.open()
        flow.present(HomeViewController(), animated: false)
        let system = HeadlessSystem(of: app.windows[0].scene)
        system.enterBackground()
        time.advance(by: .seconds(3600))
        system.enterForeground()
        flow.attributed(to: PaywallSource.home, by: PaywallAttribution(app.screens))
            .present(PaywallViewController(), animated: false)
        #expect(
            try await lines(tracker) == [
                "1 home < -: root", "2 home < -: resume", "2 paywall < home: present [home]",
            ]
        )
    }

    @Test func `a short time in the background is no return`() async throws {
        let tracker = tracker()
        let app = SceneApp(tracker)
        app.open().present(HomeViewController(), animated: false)
        for seconds in [1, 60, 1700] {
            HeadlessSystem(of: app.windows[0].scene).enterBackground()
            time.advance(by: .seconds(seconds))
            HeadlessSystem(of: app.windows[0].scene).enterForeground()
            tracker.track(EventDraft(type: "tap"))
        }
        #expect(try await lines(tracker).contains { $0.contains("resume") } == false)
    }

    @Test func `a paywall comes back with its presentation`() async throws {
        let tracker = tracker()
        let app = SceneApp(tracker)
        let flow = app.open()
        flow.present(HomeViewController(), animated: false)
        for window in app.windows { await settle(window.window) }
        let modal = app.windows[0].stack.modalFlow.tracked(by: app.screens)
            .attributed(to: PaywallSource.profile, by: PaywallAttribution(app.screens))
        modal.present(PaywallViewController(), animated: false)
        for window in app.windows { await settle(window.window) }
        app.screens.enterBackground()
        time.advance(by: .seconds(3600))
        app.screens.enterForeground()
        modal.dismiss(animated: false)
        for window in app.windows { await settle(window.window) }
        #expect(
            try await lines(tracker) == [
                "1 home < -: root", "1 paywall < home: present [profile]", "2 paywall < -: resume [profile]",
                "2 paywall < -: dismiss [profile]", "2 home < paywall: dismiss",
            ]
        )
        let ids = Set(try recorder.events.compactMap(\.presentationID))
        #expect(ids.count == 1)
    }

    @Test func `an event in the background begins the session, and the return still announces the screen`() async throws
    {
        let tracker = tracker()
        let app = SceneApp(tracker)
        app.open().present(HomeViewController(), animated: false)
        HeadlessSystem(of: app.windows[0].scene).enterBackground()
        time.advance(by: .seconds(3600))
        tracker.track(EventDraft(type: "push_received"))
        time.advance(by: .seconds(60))
        HeadlessSystem(of: app.windows[0].scene).enterForeground()
        #expect(
            try await lines(tracker) == [
                "1 home < -: root", "2 push_received < -: -", "2 home < -: resume",
            ]
        )
    }

    @Test func `an event that a filter drops begins no session, so the return announces the screen`() async throws {
        let tracker = tracker(filter: EventFilter { $0.type == "heartbeat" ? nil : $0 })
        let app = SceneApp(tracker)
        app.open().present(HomeViewController(), animated: false)
        time.advance(by: .seconds(2400))
        tracker.track(EventDraft(type: "heartbeat"))
        await tracker.flush()
        HeadlessSystem(of: app.windows[0].scene).enterBackground()
        time.advance(by: .seconds(60))
        HeadlessSystem(of: app.windows[0].scene).enterForeground()
        #expect(try await lines(tracker) == ["1 home < -: root", "2 home < -: resume"])
    }

    @Test func `a second window that is filled before it is visible is announced when it becomes visible`() async throws
    {
        let tracker = tracker()
        let app = SceneApp(tracker)
        let first = app.open()
        first.present(HomeViewController(), animated: false)
        let (window, stack) = app.addHidden()
        let second = stack.navigationFlow.tracked(by: app.screens)
        second.present(ProfileViewController(), animated: false)
        second.present(SettingsViewController(), animated: false)
        first.present(DetailViewController(), animated: false)
        window.makeKeyAndVisible()
        second.dismiss(animated: false)
        HeadlessUser(in: app.windows[0].window).goBack()
        #expect(
            try await lines(tracker) == [
                "1 home < -: root", "1 detail < home: present", "1 settings < -: root",
                "1 profile < settings: dismiss", "1 home < detail: back",
            ]
        )
    }

    @Test func `a paywall in a window that is not visible yet keeps its presentation`() async throws {
        let tracker = tracker()
        let app = SceneApp(tracker)
        app.open().present(HomeViewController(), animated: false)
        let (window, stack) = app.addHidden()
        stack.navigationFlow.tracked(by: app.screens)
            .attributed(to: PaywallSource.home, by: PaywallAttribution(app.screens))
            .present(PaywallViewController(), animated: false)
        window.makeKeyAndVisible()
        #expect(try await lines(tracker) == ["1 home < -: root", "1 paywall < -: root [home]"])
    }

    @Test func `two windows have their own screens, in one session`() async throws {
        let tracker = tracker()
        let app = SceneApp(tracker)
        let first = app.open()
        first.present(HomeViewController(), animated: false)
        let second = app.open()
        second.present(ProfileViewController(), animated: false)
        first.present(DetailViewController(), animated: false)
        second.present(SettingsViewController())
        HeadlessUser(in: app.windows[1].window).finishTransitions()
        HeadlessUser(in: app.windows[0].window).goBack()
        HeadlessUser(in: app.windows[1].window).swipeBack()
        #expect(
            try await lines(tracker) == [
                "1 home < -: root", "1 profile < -: root", "1 detail < home: present", "1 settings < profile: present",
                "1 home < detail: back", "1 profile < settings: back",
            ]
        )
    }

    @Test func `each window comes back on its own`() async throws {
        let tracker = tracker()
        let app = SceneApp(tracker)
        app.open().present(HomeViewController(), animated: false)
        app.open().present(ProfileViewController(), animated: false)
        for window in app.windows { HeadlessSystem(of: window.scene).enterBackground() }
        time.advance(by: .seconds(3600))
        HeadlessSystem(of: app.windows[1].scene).enterForeground()
        time.advance(by: .seconds(10))
        HeadlessSystem(of: app.windows[0].scene).enterForeground()
        #expect(
            try await lines(tracker).suffix(2) == ["2 profile < -: resume", "2 home < -: resume"]
        )
    }

    @Test(arguments: [true, false])
    func `a window that goes ends its paywall as a dismissal`(isDisconnected: Bool) async throws {
        let tracker = tracker()
        let app = SceneApp(tracker)
        let first = app.open()
        first.present(HomeViewController(), animated: false)
        app.open().attributed(to: PaywallSource.home, by: PaywallAttribution(app.screens))
            .present(PaywallViewController(), animated: false)
        if isDisconnected { HeadlessSystem(of: app.windows[1].scene).disconnect() }
        app.windows.remove(at: 1)
        first.present(DetailViewController(), animated: false)
        await Task.yield()
        #expect(
            try await lines(tracker) == [
                "1 home < -: root", "1 paywall < -: root [home]", "1 paywall < -: dismiss [home]",
                "1 detail < home: present",
            ]
        )
    }

    @Test func `an app without scenes comes back by its own notifications`() {
        let clock = ManualClock()
        let app = TestApp(clock: clock)
        app.flow.present(app.home, animated: false)
        let system = HeadlessSystem(of: app.application)
        system.enterBackground()
        clock.advance(by: .seconds(1800))
        system.enterForeground()
        system.enterForeground()
        // The notifications of another app do not count: a test beside this one has its own.
        HeadlessSystem(of: UIApplication()).enterBackground()
        clock.advance(by: .seconds(1800))
        HeadlessSystem(of: UIApplication()).enterForeground()
        #expect(app.log.lines == ["home < -: root", "home < -: resume"])
    }
}

/// The time of a test, which moves when the test says so.
private final class TestTime: Sendable {
    private let moment = Locked(Timestamp(milliseconds: 1_790_000_000_000))

    var now: Timestamp { moment.withLock { $0 } }

    func advance(by duration: Duration) {
        moment.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + duration.components.seconds * 1000) }
    }
}
