import FlowEventTestSupport
import FlowEvents
import Testing

@testable import Funnels

@Suite struct DayOutcomeClosingTests {
    /// Random archived outcomes of several owners, and later ones.
    private struct Outcomes {
        var generator: SeededGenerator
        var state = InstallState(FunnelMatcher(funnels: []))
        let owners: [DayOutcome.Owner]
        var day: Int32 = 100

        init(seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            let value = state.strings.intern(Array("v".utf8))
            let session = state.strings.intern(Array("s".utf8))
            owners = [
                DayOutcome.Owner(funnel: 0, actor: nil, value: nil),
                DayOutcome.Owner(funnel: 0, actor: nil, value: value),
                DayOutcome.Owner(funnel: 1, actor: nil, value: nil),
                DayOutcome.Owner(funnel: 1, actor: session, value: nil),
            ]
        }

        /// The outcomes of some more days, mostly of new ones.
        mutating func next(isArchived: Bool) -> [DayOutcome] {
            if generator.chance(70) { day += 1 }
            var outcomes: [DayOutcome] = []
            for owner in owners where generator.chance(60) {
                for offset in 0..<3 as Range<Int32> where generator.chance(50) {
                    let rank = generator.pick([1, 1, 1, 2, 2, 3])
                    let times = (1..<rank).map { _ in Int64(generator.next() % 9) }.sorted()
                    var outcome = DayOutcome(
                        owner: owner,
                        day: Day(number: day + offset),
                        Outcome(steps: Outcome.firstSteps(rank), rank: rank),
                        times: times,
                        in: &state.details
                    )
                    outcome.isArchived = isArchived
                    outcomes.append(outcome)
                }
            }
            day += 2
            return outcomes
        }
    }

    private func deltas(_ before: [DayOutcome], _ after: [DayOutcome], _ outcomes: Outcomes) -> [SummaryDelta] {
        var changes = SummaryChanges(Array(repeating: FunnelRules(), count: 2))
        changes.replace(before.counting()[...], by: after.counting()[...], of: outcomes.state)
        return changes.deltas()
    }

    private func needsHistory(of outcome: DayOutcome, _ open: [DayOutcome]) -> Bool {
        guard let first = open.first(where: { $0.owner == outcome.owner }) else { return true }
        return first.isCut && outcome.rank > first.rank
    }

    @Test(arguments: Seeds.upTo(300))
    func `later days change the summary as they do beside the closed outcomes`(seed: UInt64) throws {
        var outcomes = Outcomes(seed: seed)
        var bounds = FunnelBounds()
        bounds.eventsPerBlock = outcomes.generator.pick([1, 4, 128])
        var (all, open, closed): ([DayOutcome], [DayOutcome], [DayOutcome]) = ([], [], [])
        for _ in 0..<8 {
            let new = outcomes.next(isArchived: true)
            all += new
            all.sortAndJoin()
            // Where it does not know all outcomes that matter, the state asks for the history.
            for owner in outcomes.owners where new.contains(where: { $0.owner == owner && needsHistory(of: $0, open) })
            {
                open = open.filter { $0.owner != owner } + all.filter { $0.owner == owner }
                closed.removeAll { $0.owner == owner }
            }
            open += new
            open.sortAndJoin()
            closed += open.takeClosed(bounds)
        }
        var joined = (closed + open).map { outcome in
            var outcome = outcome
            outcome.isCut = false
            return outcome
        }
        joined.sortAndJoin()
        #expect(outcomes.state.details.areEqual(joined[...], all[...]), "seed \(seed)")
        #expect(open.allSatisfy { $0.owner.actor == nil })

        let later = outcomes.next(isArchived: false).filter { outcome in
            !needsHistory(of: outcome, open) || !closed.contains { $0.owner == outcome.owner }
        }
        var (afterOpen, afterAll) = (open + later, all + later)
        afterOpen.sortAndJoin()
        afterAll.sortAndJoin()
        #expect(deltas(open, afterOpen, outcomes) == deltas(all, afterAll, outcomes), "seed \(seed)")
    }

    @Test func `of a day the higher outcome counts, and of two as high the archived one`() {
        var details = OutcomeDetails()
        func outcome(_ rank: Int, isArchived: Bool) -> DayOutcome {
            let owner = DayOutcome.Owner(funnel: 0, actor: nil, value: nil)
            var outcome = DayOutcome(
                owner: owner,
                day: Day(number: 1),
                Outcome(steps: Outcome.firstSteps(rank), rank: rank),
                times: (1..<rank).map(Int64.init),
                in: &details
            )
            outcome.isArchived = isArchived
            return outcome
        }
        for (archived, recent) in [(1, 2), (2, 1), (2, 2)] {
            var outcomes = [outcome(recent, isArchived: false), outcome(archived, isArchived: true)]
            outcomes.sortAndJoin()
            let counting = outcomes.counting()
            #expect(counting.count == 1 && counting[0].rank == 2 && counting[0].isArchived == (archived == 2))
        }
    }
}
