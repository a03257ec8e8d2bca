import EventTracking
import FlowDemoSimulation
import FlowEvents

/// A simulation that records its events.
@MainActor
struct RecordedSimulation {
    let result: SimulationResult
    /// The events in the order of arrival.
    let events: [Event]

    init(_ plan: SimulationPlan) async throws {
        let recorder = EventRecorder()
        result = try await Simulation(plan) { _ in .recording(recorder) }.run()
        events = try recorder.events
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
