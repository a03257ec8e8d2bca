import FlowEventTestSupport
import FlowEvents
import Testing

@testable import FunnelTestSupport
@testable import Funnels

@Suite struct FunnelKernelTests {
    /// The events of a random stream as those of one actor, and what the kernel makes of them.
    private struct Example {
        let funnel: Funnel
        /// The events, in order of time, sequence number, id and source.
        let events: [Event]
        private var kernel = FunnelKernel()

        init(_ funnel: Funnel, _ events: [Event]) {
            self.funnel = funnel
            func order(_ event: Event) -> ([Int64], [UInt8], [UInt8]) {
                ([event.time.milliseconds, event.sequence ?? 0], Array(event.id.utf8), Array(event.source.utf8))
            }
            self.events = events.sorted { lhs, rhs in
                let (left, right) = (order(lhs), order(rhs))
                if left.0 != right.0 { return left.0.lexicographicallyPrecedes(right.0) }
                if left.1 != right.1 { return left.1.lexicographicallyPrecedes(right.1) }
                return left.2.lexicographicallyPrecedes(right.2)
            }
            var own = actorEvents { FunnelOracle.isPart($0, of: funnel) }
            var next = actorEvents { FunnelOracle.isNext($0, of: funnel) }
            own.sortByLowestStep()
            next.sortByLowestStep()
            guard !own.isEmpty else { return }
            kernel.begin(own[...], nextEvents: next[...], by: FunnelRules(funnel))
        }

        private func actorEvents(where isWanted: (Event) -> Bool) -> [ActorEvent] {
            events.enumerated().filter { isWanted($0.element) }.map { offset, event in
                let oracle = OracleEvent(event, of: funnel)
                return ActorEvent(
                    time: event.time.milliseconds,
                    sequence: event.sequence ?? 0,
                    match: FunnelMatch(
                        steps: oracle.steps.reduce(0) { $0 | 1 << UInt32($1) },
                        exclusions: oracle.gaps.reduce(0) { $0 | 1 << UInt32($1) }
                    ),
                    event: Int32(offset),
                    actor: CompactIndex(wrappedValue: nil)
                )
            }
        }

        /// The next outcome with the ids of its events by step and the place where the actor went.
        mutating func next() -> (outcome: Outcome, ids: [Int: String], place: String?)? {
            guard let outcome = kernel.next() else { return nil }
            let steps = funnel.steps.indices.filter(outcome.meets)
            let ids = steps.map { ($0, events[Int(kernel.event(of: $0).event)].id) }
            let place = kernel.nextEvent.flatMap { event in
                funnel.next.map { FunnelOracle.text(FunnelOracle.value(of: $0.field, in: events[event])) }
            }
            return (outcome, Dictionary(uniqueKeysWithValues: ids), place)
        }
    }

    /// The attempts of one actor by brute force.
    private static func attempts(_ funnel: Funnel, _ events: [Event]) -> [OracleAttempt] {
        func ordered(_ isWanted: (Event) -> Bool) -> [OracleEvent] {
            events.filter(isWanted).map { OracleEvent($0, of: funnel) }.sorted { $0.precedes($1) }
        }
        let own = ordered { FunnelOracle.isPart($0, of: funnel) }
        let next = ordered { FunnelOracle.isNext($0, of: funnel) }
        let entries = own.indices.filter { own[$0].steps.contains(0) }
        return (funnel.entry == .first ? Array(entries.prefix(1)) : entries).map {
            OracleAttempt(from: $0, of: own, nextEvents: next, actor: [], funnel, nil)
        }
    }

    private static func ending(of attempt: OracleAttempt, in funnel: Funnel) -> Outcome.Ending {
        guard attempt.depth == funnel.requiredStepCount else { return attempt.isExcluded ? .excluded : .open }
        return .complete(entries: funnel.steps.count == 1 ? 0 : UInt8(min(attempt.entryCount, 5)))
    }

    @Test(arguments: Seeds.upTo(500))
    func `each attempt has the outcome that the brute force finds`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        for funnel in try random.funnels() {
            var ids: Set<String> = []
            let events = random.events(count: 40, installs: 1).filter { ids.insert($0.id).inserted }
            var example = Example(funnel, events)
            for attempt in Self.attempts(funnel, events) {
                let next = example.next()
                let found = try #require(next)
                #expect(found.outcome.rank == attempt.depth)
                #expect(found.outcome.ending == Self.ending(of: attempt, in: funnel))
                #expect(found.ids == attempt.events.mapValues(\.id))
                #expect(found.place ?? attempt.next.map { _ in NextEvent.nothing } == attempt.next)
            }
            let rest = example.next()
            #expect(rest == nil)
        }
    }
}
