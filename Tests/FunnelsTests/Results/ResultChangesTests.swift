import FlowEventTestSupport
import FlowEvents
import Testing

@testable import Funnels

@Suite struct ResultChangesTests {
    /// Random results of four owners, and what they become when some days of the first funnel are computed again.
    private struct Results {
        var generator: SeededGenerator
        var strings = StringTable()
        var details = OutcomeDetails()
        var before: [DayOutcome] = []
        var after: [DayOutcome] = []
        var changes: ResultChanges

        init(seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            let first = Int32(generator.next() % 12)
            let days = Day(number: first)...Day(number: first + Int32(generator.next() % 3))
            changes = ResultChanges(days: [days, nil], removed: [], added: [])
            let actor = strings.intern(Array("a".utf8))
            let value = strings.intern(Array("v".utf8))
            let owners = [
                DayOutcome.Owner(funnel: 0, actor: nil, value: nil), DayOutcome.Owner(funnel: 0, actor: nil, value: value),
                DayOutcome.Owner(funnel: 0, actor: actor, value: nil), DayOutcome.Owner(funnel: 1, actor: nil, value: nil),
            ]
            for owner in owners {
                for number in 0..<14 as Range<Int32> {
                    let isComputed = owner.funnel == 0 && days.contains(Day(number: number))
                    if generator.chance(60) {
                        let best = randomBest(owner, number)
                        before.append(best)
                        if isComputed { changes.removed.append(best) } else { after.append(best) }
                        // Mostly a day has the same result as before.
                        if isComputed, generator.chance(50) {
                            changes.added.append(best)
                            after.append(best)
                            continue
                        }
                    }
                    guard isComputed, generator.chance(60) else { continue }
                    let best = randomBest(owner, number)
                    changes.added.append(best)
                    after.append(best)
                }
            }
        }

        private mutating func randomBest(_ owner: DayOutcome.Owner, _ day: Int32) -> DayOutcome {
            let rank = generator.pick([1, 1, 1, 2, 2, 3])
            let times = (1..<rank).map { _ in Int64(generator.next() % 4) }.sorted()
            var best = DayOutcome(owner: owner, day: Day(number: day), steps: FunnelRules.steps(ofRank: rank), rank: rank, times: times, in: &details)
            best.isOutOfOrder = generator.chance(4)
            return best
        }
    }

    private func changes(_ changes: ResultChanges, _ results: [DayOutcome], _ details: OutcomeDetails) throws
        -> [ResultChanges.Change]
    {
        var all: [ResultChanges.Change] = []
        _ = try changes.forEachOwner(results, details) { change in
            all.append(change)
            return true
        }
        return all
    }

    private func segments(_ changes: SummaryChanges) -> [SummaryKey: [UInt8]] {
        Dictionary(uniqueKeysWithValues: changes.deltas().map { ($0.key, $0.segment) })
    }

    @Test(arguments: 0..<1000 as Range<UInt64>)
    func `the open days of the changed owners change the summary as all results do`(seed: UInt64) throws {
        let results = Results(seed: seed)
        var all = SummaryChanges()
        all.replace(results.before[...], by: results.after[...], results.details, results.strings)
        var open = SummaryChanges()
        var visited = 0
        for change in try changes(results.changes, results.after, results.details) {
            let earlier = change.openDays(hasEarlier: false) ?? change.earlier
            visited += earlier.count
            open.replace(
                earlier.followed(by: change.before),
                by: earlier.followed(by: change.after),
                results.details,
                results.strings
            )
        }
        #expect(segments(open) == segments(all))
        #expect(visited <= results.before.count)
    }

    @Test func `results before a day that is as high as the changed ones are not needed`() throws {
        let owner = DayOutcome.Owner(funnel: 0, actor: nil, value: nil)
        var details = OutcomeDetails()
        func best(_ day: Int32, rank: Int) -> DayOutcome {
            let times = repeatElement(1 as Int64, count: rank - 1)
            return DayOutcome(owner: owner, day: Day(number: day), steps: FunnelRules.steps(ofRank: rank), rank: rank, times: times, in: &details)
        }
        let results = [best(1, rank: 3), best(2, rank: 1), best(4, rank: 2), best(5, rank: 1), best(9, rank: 2)]
        let result = ResultChanges(
            days: [Day(number: 9)...Day(number: 9)],
            removed: [best(9, rank: 1)],
            added: [best(9, rank: 2)]
        )
        let change = try #require(try changes(result, results, details).first)
        #expect(change.openDays(hasEarlier: true)?.map(\.day.number) == [4, 5])
        // Without the day of rank 2, only the results of the blocks can tell which day is as high.
        let rest = [best(5, rank: 1), best(9, rank: 2)]
        let fewer = try #require(try changes(result, rest, details).first)
        #expect(fewer.openDays(hasEarlier: true) == nil)
        #expect(fewer.openDays(hasEarlier: false)?.map(\.day.number) == [5])
    }
}
