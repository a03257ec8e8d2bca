import DeviceQueue
import EventTracking
import EventTrackingTestKit
import FlowEvents
import Foundation
import HTTPSink
import HeadlessUIKit
import Testing

// The code blocks of the articles about events, delivery and tests, as in `Snippets.swift`. Those that are tests run.

@Suite struct TestKitArticle {
    @Test func `a batch waits ten seconds for more events`() async throws {
        let clock = ManualClock()
        let recorder = EventRecorder()
        let tracker = Tracker(
            source: "app://test",
            identity: .memory(),
            sink: .recording(recorder),
            now: { Timestamp(milliseconds: 0) },
            clock: clock,
            ids: .counting("id"),
            jitter: { 0.5 }
        )
        tracker.track(EventDraft(type: "search"))
        await clock.hasSleeper(until: .seconds(10))
        #expect(try recorder.events.isEmpty)
        clock.advance(by: .seconds(10))
        await tracker.flush()
        #expect(try recorder.events.map(\.type) == ["search"])
    }
}

private enum EventsArticle {
    static func event() throws -> (Event, Event) {
        var event = Event(
            id: "0193479e-8f8c-7c3a-9d8e-2f0a6b1c4d5e",
            source: "app://com.example.shop",
            type: "purchase",
            time: Timestamp("2026-11-20T10:15:30.123Z") ?? Timestamp(milliseconds: 0),
            installID: "0193479e-8f8d-7f11-8c2b-64d1c0a9e2b7"
        )
        event.properties = ["product": "year", "price": 39.99, "is_trial": false]
        let json = try event.encoded()
        let copy = try Event(json: json)
        return (event, copy)
    }

    static func mistakes(bytes: [UInt8]) {
        do {
            _ = try Event(json: bytes)
        } catch {
            print(error.reason.rawValue, error.detail)
        }
    }
}

@Suite struct EventsArticleTests {
    @Test func `the article's event is read as it was written`() throws {
        let (event, copy) = try EventsArticle.event()
        #expect(copy == event)
    }
}

private enum HTTPArticle {
    static func overview(url: URL, path: String) -> Tracker {
        let configuration = HTTPSinkConfiguration(url: url, writeKey: "wk_live_…")
        let tracker = Tracker(
            source: "app://com.example.shop",
            identity: .file(path: path),
            sink: .http(configuration)
        )
        return tracker
    }

    struct Settings {
        let writeKey: String
    }

    static func keys(url: URL, settings: Settings, tracker: Tracker) async -> HTTPSinkConfiguration {
        let configuration = HTTPSinkConfiguration(url: url, writeKey: { settings.writeKey })
        // After the app has received a new key:
        await tracker.resume()
        return configuration
    }
}

private struct AppLog {
    func notice(_ text: String) {}
}

@MainActor
private final class QueueArticle {
    let queue: DeviceQueue

    init(queue: DeviceQueue) {
        self.queue = queue
    }

    static func overview(folder: String, url: URL, logger: AppLog) {
        let queue = DeviceQueue(DeviceQueueConfiguration(folder: folder))
        let collector = HTTPSinkConfiguration(url: url, writeKey: "wk_live_…")
        let tracker = Tracker(
            source: "app://com.example.shop",
            queue: queue,
            sink: .http(collector),
            onReport: { report in logger.notice("\(report)") }
        )
        tracker.track(EventDraft(type: "purchase", properties: ["price": 9.99]))
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        queue.suspend()
    }

    func applicationWillEnterForeground(_ application: UIApplication) {
        queue.resume()
    }

    func quarantine() async throws {
        for event in try await queue.quarantined() {
            print(event.id, event.code, event.detail)
        }
    }
}

@Suite struct HeadlessArticle {
    final class HomeViewController: UIViewController {}
    final class PaywallViewController: UIViewController {}

    @MainActor
    @Test func `a swipe closes the paywall`() {
        let window = UIWindow(frame: .zero)
        let home = HomeViewController()
        window.rootViewController = home
        window.makeKeyAndVisible()
        let user = HeadlessUser(in: window)

        home.present(PaywallViewController(), animated: true)
        user.finishTransitions()
        #expect(user.screen is PaywallViewController)

        user.swipeToDismiss()
        #expect(user.screen === home)
    }

    @MainActor
    private static func more(user: HeadlessUser) {
        user.goBack()
        user.beginSwipeToDismiss()?.cancel()
        user.selectTab(1)
        user.tapButton("Delete")
    }

    @MainActor
    @Test func `an app without background time can be suspended`() {
        let application = UIApplication()
        let system = HeadlessSystem(of: application)
        system.enterBackground()
        system.endBackgroundTime()
        #expect(system.canSuspend)
    }

    @MainActor
    @Test func `a split view collapses in a narrow window`() {
        let window = UIWindow(frame: .zero)
        let split = UISplitViewController()
        split.viewControllers = [UINavigationController(rootViewController: UIViewController()), UIViewController()]
        window.rootViewController = split
        window.makeKeyAndVisible()
        window.traitOverrides.horizontalSizeClass = .compact
        #expect(split.isCollapsed)
        window.traitOverrides.userInterfaceIdiom = .pad
    }
}
