import FlowEventTestSupport
import FlowEvents
import FunnelStore
import FunnelStoreTestSupport

@testable import Funnels

/// Actors that reach random depths on random days, and the changes of the summary as an engine makes them.
struct RandomActors {
    static let values = ["ios", "it's"]

    /// The funnels that the actors go through, with a breakdown by ``values``.
    static func funnels() throws -> [Funnel] {
        try ["first", "second"].map { name in
            try Funnel(
                name: name,
                window: .seconds(60),
                breakdown: "properties.platform",
                steps: ["a", "b", "c"].map { Step(name: $0, event: $0) }
            )
        }
    }

    private struct Owner: Hashable {
        var actor: Int
        var funnel: Int
        var value: String?
    }

    // By owner the depth of each day.
    private var depths: [Owner: [Int32: Int]] = [:]

    /// Deepens the days of some actors. Returns what that changes.
    mutating func commit(_ generator: inout SeededGenerator) throws -> [SummaryDelta] {
        var groups: [SummaryKey: [DayGaps: (counts: OutcomeCounts, group: SummaryGroup)]] = [:]
        for actor in 0..<30 where generator.chance(50) {
            let funnel = Int.random(in: 0..<2, using: &generator)
            let value = Self.values.randomElement(using: &generator)
            let day = Int32.random(in: -3...12, using: &generator)
            let depth = Int.random(in: 1...3, using: &generator)
            for owner in [
                Owner(actor: actor, funnel: funnel), Owner(actor: actor, funnel: funnel, value: value),
            ] {
                add(owner, count: -1, to: &groups)
                let old = depths[owner]?[day] ?? 0
                depths[owner, default: [:]][day] = max(old, depth)
                add(owner, count: 1, to: &groups)
            }
        }
        return groups.compactMap { key, groups in
            let counts = groups.flatMap { gaps, group in
                group.counts.entries.filter { $0.count != 0 }
                    .map { OutcomeCount(gaps: gaps, outcome: $0.outcome, actors: $0.count) }
            }
            let segment = SummarySegment.encoded(groups.mapValues(\.group))
            return counts.isEmpty && segment.isEmpty ? nil : SummaryDelta(key: key, counts: counts, segment: segment)
        }
    }

    private func add(
        _ owner: Owner,
        count: Int64,
        to groups: inout [SummaryKey: [DayGaps: (counts: OutcomeCounts, group: SummaryGroup)]]
    ) {
        let days = depths[owner] ?? [:]
        for (day, depth) in days {
            let previous = days.filter { $0.key < day && $0.value >= depth }.keys.max()
            let next = days.filter { $0.key > day && $0.value > depth }.keys.min()
            let gaps = DayGaps(
                previous: previous.map { UInt32(day - $0) } ?? 0,
                next: next.map { UInt32($0 - day) } ?? 0
            )
            let key = StoreFixtures.key(owner.funnel, owner.value, day: day)
            let steps = Outcome.firstSteps(depth)
            var (counts, group) = groups[key]?[gaps] ?? (OutcomeCounts(), SummaryGroup())
            counts.add(Outcome(steps: steps, rank: depth), count)
            group.add(times: (1..<depth).map { 5 * Int64($0) }, of: steps, FunnelRules(), count: count)
            groups[key, default: [:]][gaps] = (counts, group)
        }
    }
}
