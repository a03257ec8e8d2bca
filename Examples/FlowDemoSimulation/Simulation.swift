public import EventTracking
import EventTrackingTestKit
import FlowEvents
public import ScreenJourneys

/// People who use the ``FlowDemoApp/DemoApp`` side by side, in fast-forward.
///
/// ```swift
/// let plan = SimulationPlan(people: 5000, days: 7, before: .now, seed: 1)
/// let result = try await Simulation(plan, sink: { _ in sink }).run { share in progress.show(share) }
/// ```
///
/// What each person does follows from the seed and the person's number: not from the others, nor from how fast events
/// are delivered.
@MainActor
public final class Simulation {
    // So many appointments, then those who kept them send what they tracked. It keeps the order of arrival close to that
    // of time, and bounds what waits.
    private static let round = 4000

    /// The CloudEvents `source` of the app.
    public nonisolated static let source = "app://com.example.flow-funnels-demo"

    /// What the phone of the first person keeps, where it was to keep anything; its time is that of the simulation.
    public let journeys: Journeys?
    private let plan: SimulationPlan
    private let clock: SimulatedClock
    private var agenda: Agenda
    private var people: [Int: Person] = [:]

    /// Creates the people.
    ///
    /// - Parameters:
    ///   - plan: who they are, and when they use the app.
    ///   - journeysPath: the file in which the phone of the first person keeps where the person goes; `nil` for none.
    ///   - sink: where the events of a person go, by the person's number.
    public init(_ plan: SimulationPlan, journeysPath: String? = nil, sink: (Int) -> EventSink) {
        self.plan = plan
        let clock = SimulatedClock(plan.start)
        self.clock = clock
        journeys = journeysPath.map { path in Journeys(path: path, now: { clock.now }) }
        agenda = Agenda(end: plan.end)
        var seeds = SeededRandom(seed: plan.seed)
        let base = seeds.next()
        for number in plan.people {
            var random = SeededRandom(seed: base &+ UInt64(number))
            random = SeededRandom(seed: random.next())
            let length = plan.end.milliseconds - plan.start.milliseconds
            let moment = plan.start.milliseconds + .random(in: 0..<max(1, length), using: &random)
            let firstVisit = DayRhythm.settle(Timestamp(milliseconds: moment), using: &random)
            people[number] = Person(
                firstVisit: firstVisit,
                random: random,
                clock: clock,
                sink: sink(number),
                journeys: number == plan.people.first ? journeys : nil
            )
            agenda.add(.visit, of: number, at: firstVisit)
        }
    }

    /// Lets everything happen, and returns when every event is delivered or given up.
    ///
    /// - Parameter onProgress: is told again and again how much of the time has passed, from 0 to 1.
    /// - Throws: `CancellationError` where the task was cancelled, and what `onProgress` throws.
    public func run(onProgress: (Double) throws -> Void = { _ in }) async throws -> SimulationResult {
        var delivery: Task<Void, Never>?
        while let trackers = playRound() {
            await delivery?.value
            try Task.checkCancellation()
            try onProgress(progress)
            delivery = Task { await Self.forEach(trackers) { await $0.flush() } }
        }
        await delivery?.value
        await Self.forEach(people.values.map(\.tracker)) { _ = await $0.shutdown(deadline: .seconds(60)) }
        try Task.checkCancellation()
        try onProgress(1)
        return people.values.reduce(into: SimulationResult()) { $0.add($1.tally, $1.tracker.statistics) }
    }

    private var progress: Double {
        let passed = clock.now.milliseconds - plan.start.milliseconds
        return Double(passed) / Double(max(1, plan.end.milliseconds - plan.start.milliseconds))
    }

    /// The trackers of those who kept an appointment; `nil` where there was none.
    private func playRound() -> [Tracker]? {
        var active: [Int: Tracker] = [:]
        for _ in 0..<Self.round {
            guard let entry = agenda.next(), let person = people[entry.person] else { break }
            clock.now = entry.time
            person.keep(entry.appointment)
            for (appointment, delay) in person.takePlans() {
                let milliseconds = Int64(delay / .milliseconds(1))
                agenda.add(
                    appointment,
                    of: entry.person,
                    at: Timestamp(milliseconds: entry.time.milliseconds + milliseconds)
                )
            }
            active[entry.person] = person.tracker
        }
        return active.isEmpty ? nil : Array(active.values)
    }

    nonisolated private static func forEach(
        _ trackers: [Tracker],
        _ body: @escaping @Sendable (Tracker) async -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            for tracker in trackers { group.addTask { await body(tracker) } }
        }
    }
}
