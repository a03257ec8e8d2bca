import DeviceQueue
import EventTracking
import FlowAnalytics
import FlowEvents
import FlowKit
import Foundation
import HTTPSink
import ScreenJourneys
import Testing
import UIPlatform

// The code blocks of the articles about single modules, each in a function with what the block does not say. `ArticleTests`
// compares them. Nothing calls the functions: that they compile is the test.

@MainActor
private enum AnalyticsArticle {
    final class HomeViewController: UIViewController {}

    static func overview(folder: URL, navigation: UINavigationController, sink: EventSink) {
        enum PaywallSource: String { case home, profile }

        let identity = IdentityStore.file(path: folder.appending(path: "identity.json").path)
        let tracker = Tracker(source: "app://com.example.shop", identity: identity, sink: sink)
        let screens = ScreenTracker(tracker)
        let paywalls = PaywallAttribution<PaywallSource>(screens)

        let push = navigation.navigationFlow.tracked(by: screens)
        let modal = navigation.modalFlow.tracked(by: screens).attributed(to: .home, by: paywalls)

        push.present(HomeViewController(), animated: false)  // screen_view: home
        modal.present(PaywallViewController())  // screen_view: paywall, opened from home
    }

    enum PaywallSource: String { case home, profile, list }

    final class PaywallViewController: UIViewController, ScreenNamed, PaywallScreen {
        let screenName = "paywall"
        var presentation: Presentation<PaywallSource>?

        func didBuy() { presentation?.track("purchase") }
    }

    static func navigator(
        tracker: Tracker,
        window: UIWindow,
        stack: UINavigationController,
        character: Character,
        error: any Error
    ) throws {
        let journeys = Journeys(path: "journeys.sqlite")
        let screens = ScreenTracker(sessions: { tracker.sessionProgress }, track: journeys.remembering(tracker.track))
        let paywalls = PaywallAttribution<PaywallSource>(screens)
        let navigator = Navigator(window: window).tracked(by: screens)

        try navigator.handle(navigations: [.popToRoot, .push(.detail(character))])
        let modal = stack.modalFlow.tracked(by: screens).attributed(to: .list, by: paywalls)
        Builders.alert(for: error) |> modal.present
    }

    static func phones(folder: String, url: URL, application: UIApplication) -> BackgroundFlush {
        let queue = DeviceQueue(DeviceQueueConfiguration(folder: folder))
        let collector = HTTPSinkConfiguration(url: url, writeKey: "wk_…")
        let tracker = Tracker(source: "app://com.example.shop", queue: queue, sink: .http(collector))
        let flush = BackgroundFlush(tracker, of: application, willSuspend: queue.suspend, willResume: queue.resume)
        return flush
    }

    #if DEBUG
    static func checking(screens: ScreenTracker) {
        #expect(screens.audit().findings.isEmpty)
    }
    #endif
}

extension Screen {
    fileprivate static func detail(_ character: Character) -> Screen {
        Screen { Builders.Characters.detail(character) }
    }
}

@MainActor
private enum AddingArticle {
    enum PaywallSource: String { case home, profile }
    struct Shop {}
    struct PaywallDependencies {
        var source: PaywallSource
        var shop: Shop
    }
    struct PaywallBuilder: Builder {
        func build(using dependencies: PaywallDependencies) -> UIViewController { UIViewController() }
    }

    static func steps(path: String, sink: EventSink, navigationController: UINavigationController, shop: Shop) {
        let tracker = Tracker(source: "app://com.example.shop", identity: .file(path: path), sink: sink)
        let screens = ScreenTracker(tracker)
        let paywalls = PaywallAttribution<PaywallSource>(screens)

        let push = navigationController.navigationFlow.tracked(by: screens)
        let modal = navigationController.modalFlow.tracked(by: screens)

        let paywall = PaywallBuilder().scoped { source in PaywallDependencies(source: source, shop: shop) }
            .attributed(by: paywalls)
        paywall.build(using: .home) |> modal.present
        UIViewController() |> push.present
    }

    static func afternoon(url: URL, navigationController: UINavigationController) -> [Flow] {
        let collector = HTTPSinkConfiguration(url: url, writeKey: "dev")
        let tracker = Tracker(source: "app://com.example.shop", identity: .memory(), sink: .http(collector))

        let screens = ScreenTracker(tracker)
        let push = navigationController.navigationFlow.tracked(by: screens)
        let modal = navigationController.modalFlow.tracked(by: screens)

        let paywalls = PaywallAttribution<PaywallSource>(screens)
        let fromHome = modal.attributed(to: .home, by: paywalls)
        return [push, fromHome]
    }
}

private enum TrackingArticle {
    static func overview() async {
        let sink = EventSink.file(path: "events.ndjson")
        let tracker = Tracker(
            source: "app://com.example.shop",
            identity: .file(path: "identity.json"),
            sink: sink
        )
        tracker.track(EventDraft(type: "search", screen: "catalog", properties: ["results": 12]))
        let report = await tracker.shutdown(deadline: .seconds(5))
        if !report.isComplete { print("\(report.unsent) events were not sent") }
        await sink.shutdown()
    }

    static func settings() -> (TrackerConfiguration, EventSink, EventFilter) {
        let configuration = TrackerConfiguration(
            batching: BatchingConfiguration(maximumBatchCount: 100, maximumAge: .seconds(5)),
            sessionTimeout: .seconds(15 * 60)
        )
        let context = EventFilter.adding(.current)
        _ = context
        let logging = EventSink(send: { batch in
            for event in batch { print(String(decoding: event.value, as: UTF8.self)) }
            return batch.map { _ in .delivered }
        })
        let filter = EventFilter { draft in
            guard draft.screen != "health" else { return nil }
            var draft = draft
            // The next screen view names it as well.
            if draft.previousScreen == "health" { draft.previousScreen = nil }
            return draft
        }
        .allowing(properties: ["platform", "app_version"])
        return (configuration, logging, filter)
    }
}

extension Builders {
    @MainActor fileprivate static func article(id: String) -> UIViewController { UIViewController() }
}

@MainActor
private enum JourneysArticle {
    static func recording(path: String, tracker: Tracker, log: @escaping @Sendable (String) -> Void) -> ScreenTracker {
        let journeys = Journeys(path: path, onReport: { report in log("\(report)") })
        let screens = ScreenTracker(sessions: { tracker.sessionProgress }, track: journeys.remembering(tracker.track))
        return screens
    }

    static func queries(journeys: Journeys, flow: Flow) async throws {
        let shortcuts = try await journeys.mostVisited(days: 30, limit: 3, excluding: ["home"])
        let next = try await journeys.usualNext(after: "home")
        let stop = try await journeys.lastStop()
        let views = try await journeys.paywallViews(days: 7)

        print(shortcuts.map(\.screen), next ?? "-", stop?.screen ?? "-", views.count)
    }

    static func items(journeys: Journeys, flow: Flow) async throws {
        let stop = try await journeys.lastItem(on: "article")
        if let id = stop?.item { Builders.article(id: id) |> flow.present }
    }

    static func limits(path: String) -> Journeys {
        let configuration = JourneysConfiguration(maximumAge: .seconds(14 * 86_400), paywalls: ["paywall", "offer"])
        let journeys = Journeys(path: path, configuration: configuration)
        return journeys
    }
}
