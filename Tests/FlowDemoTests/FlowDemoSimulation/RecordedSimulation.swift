import EventTracking
import FlowDemoSimulation
import FlowEvents
import Foundation
import SimulatedAppStore
import StoreNotifications
import Testing

/// A simulation that records its events.
@MainActor
struct RecordedSimulation {
    let result: SimulationResult
    /// The events of the phones in the order of arrival.
    let events: [Event]
    private let plan: SimulationPlan

    init(_ plan: SimulationPlan) async throws {
        let recorder = EventRecorder()
        result = try await Simulation(plan) { _ in .recording(recorder) }.run()
        events = try recorder.events
        self.plan = plan
    }

    /// The events that a collector makes of what the store's server posts until the end of the period, repeats included.
    var storeEvents: [Event] {
        get async throws {
            let date = Date(timeIntervalSince1970: Double(plan.end.milliseconds) / 1000)
            let authority = try SigningAuthority(.init(around: date))
            let posts = try StoreServer(authority, seed: plan.seed).posts(about: result.purchases, until: plan.end)
            let app = AppStoreApp(bundleID: StoreServer.bundleID)
            let webhook = AppStoreWebhook(roots: [authority.root], apps: [app])
            var events: [Event] = []
            for post in posts {
                let decision = try await webhook.decision(about: post.body, now: post.time)
                switch decision.action {
                case .publish(let event): events.append(try Event(json: event.encoded()))
                case .deadLetter: #expect(!post.hasInstall)
                case .ignore(let reason): Issue.record("\(decision.type) is ignored: \(reason)")
                }
            }
            return events
        }
    }

    /// The JSON of the events, without an order.
    var documents: [String] {
        get throws { try events.map { String(decoding: try $0.encoded(), as: UTF8.self) }.sorted() }
    }
}

extension SimulationPlan {
    /// A week that ended long ago.
    static func week(people: Range<Int>, seed: UInt64 = 1) -> SimulationPlan {
        let end = Timestamp(milliseconds: 1_800_000_000_000)
        let start = Timestamp(milliseconds: end.milliseconds - 7 * 86_400_000)
        return SimulationPlan(people: people, start: start, end: end, seed: seed)
    }
}
