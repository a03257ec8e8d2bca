public import EventTracking
import EventTrackingTestKit
import FlowEvents
public import ScreenJourneys

/// Simulates people who use the ``FlowDemoApp/DemoApp``, faster than real time.
///
/// ```swift
/// let plan = SimulationPlan(people: 5000, days: 7, before: .now, seed: 1)
/// let result = try await Simulation(plan, sink: { _ in sink }).run { share in progress.show(share) }
/// ```
///
/// The actions of a person depend only on the seed and the person's number, not on other people or on the speed of
/// delivery.
@MainActor
public final class Simulation {
    // After this many appointments, the active people send their events. So events arrive nearly in the order of their
    // times, and the number of waiting events is limited.
    private static let round = 4000

    /// The CloudEvents `source` of the app.
    public nonisolated static let source = "app://com.example.flow-funnels-demo"

    /// The recorded screens of the first person; `nil` without a path. Its clock is the simulation's clock.
    public let journeys: Journeys?
    private let plan: SimulationPlan
    private let clock: SimulatedClock
    private var agenda: Agenda
    private var people: [Int: Person] = [:]

    /// Creates the people.
    ///
    /// - Parameters:
    ///   - plan: the people, and the period.
    ///   - journeysPath: the file for the visited screens of the first person; `nil` to record none.
    ///   - sink: returns the destination of a person's events, by the person's number.
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
            var firstVisit = Timestamp(milliseconds: moment)
            if plan.followsDay { firstVisit = DayRhythm.settle(firstVisit, using: &random) }
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

    /// Runs the simulation, and returns when every event is delivered or dropped.
    ///
    /// - Parameter onProgress: is called repeatedly with the simulated share of the period, from 0 to 1.
    /// - Throws: `CancellationError` if the task is canceled, and the errors that `onProgress` throws.
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
        // In the order of their numbers, so that the same plan has the same result.
        return people.sorted { $0.key < $1.key }.map(\.value).reduce(into: SimulationResult()) { result, person in
            result.add(person.tally, person.tracker.statistics, person.purchases)
        }
    }

    /// Runs the simulation at the speed of real time, and sends what people do as they do it.
    ///
    /// - Throws: `CancellationError` if the task is canceled.
    public func runInRealTime() async throws {
        while let entry = agenda.next() {
            let wait = entry.time.milliseconds - Timestamp.now.milliseconds
            if wait > 0 { try await Task.sleep(for: .milliseconds(wait)) }
            guard let tracker = keep(entry) else { continue }
            // Beside the next appointments, so that a collector that does not answer holds up nobody.
            Task { await tracker.flush() }
        }
        await Self.forEach(people.values.map(\.tracker)) { _ = await $0.shutdown(deadline: .seconds(5)) }
    }

    private var progress: Double {
        let passed = clock.now.milliseconds - plan.start.milliseconds
        return Double(passed) / Double(max(1, plan.end.milliseconds - plan.start.milliseconds))
    }

    /// Runs one round, and returns the trackers of the active people; `nil` if there was no appointment.
    private func playRound() -> [Tracker]? {
        var active: [Int: Tracker] = [:]
        for _ in 0..<Self.round {
            guard let entry = agenda.next(), let tracker = keep(entry) else { break }
            active[entry.person] = tracker
        }
        return active.isEmpty ? nil : Array(active.values)
    }

    /// Lets a person keep an appointment.
    ///
    /// - Returns: the person's tracker.
    private func keep(_ entry: Agenda.Entry) -> Tracker? {
        guard let person = people[entry.person] else { return nil }
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
        return person.tracker
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
