import FlowEventTestSupport
import FlowEvents
import Testing

@testable import Funnels

@Suite struct CatalogTests {
    /// Random results of several actors, block after block.
    private struct Blocks {
        var generator: SeededGenerator
        var state: InstallState
        private(set) var parts: [[DayOutcome]] = []
        private var day: Int32 = 100
        let owners: [DayOutcome.Owner]

        init(seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            let funnel = try Funnel(name: "f", window: .seconds(1), steps: [Step(name: "a", event: "a")])
            var state = InstallState(FunnelMatcher(funnels: [funnel, funnel]))
            let actors = ["a", "b", "c"].map { state.strings.intern(Array($0.utf8)) }
            self.state = state
            owners = (0..<2).flatMap { funnel in
                [DayOutcome.Owner(funnel: funnel, actor: nil, value: nil)]
                    + actors.map { DayOutcome.Owner(funnel: funnel, actor: $0, value: nil) }
            }
        }

        /// The results of the next block, which begins on the day of the last one or later.
        mutating func next() -> [DayOutcome] {
            day += Int32(generator.next() % 2)
            var results: [DayOutcome] = []
            for owner in owners where generator.chance(30) {
                for offset in 0..<3 as Range<Int32> where generator.chance(40) {
                    let rank = generator.pick([1, 1, 1, 2, 2, 3])
                    let times = (1..<rank).map { _ in Int64(generator.next() % 9) }.sorted()
                    results.append(
                        DayOutcome(
                            owner: owner,
                            day: Day(number: day + offset),
                            steps: FunnelRules.steps(ofRank: rank),
                            rank: rank,
                            times: times,
                            in: &state.details
                        )
                    )
                }
            }
            day += 2
            results.sortByOwner()
            parts.append(results)
            return results
        }

        func expected(_ owner: DayOutcome.Owner) -> [DayOutcome] {
            .open([DayOutcome].joined(parts).filter { $0.owner == owner }[...])
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `the open results of an actor are those of all its blocks, or the catalog does not have them`(seed: UInt64)
        throws
    {
        var blocks = try Blocks(seed: seed)
        var shape = HistoryShape()
        shape.ownerCount = blocks.generator.pick([1, 3, 64])
        shape.dayCount = blocks.generator.pick([1, 2, 64])
        shape.filterCount = blocks.generator.pick([2, 9, 64])
        var rows: [HistoryRow] = []
        for number in 1...15 as ClosedRange<Int64> {
            let results = blocks.next()
            let fingerprints = results.map { blocks.state.fingerprint($0.owner) }
            var catalog = Catalog()
            let view = try CatalogView(rows)
            if let view {
                catalog = try Catalog(view, strings: &blocks.state.strings, &blocks.state.details, funnelCount: 2)
            }
            let isKnown = catalog.open(results) { view?.mayContain(blocks.state.fingerprint($0)) ?? false }
            if !isKnown {
                // The long way.
                catalog.actors = blocks.owners.compactMap { owner in
                    let days = blocks.expected(owner)
                    return days.isEmpty ? nil : Catalog.OpenActor(owner: owner, days: days)
                }
            }
            let entry = Catalog.Entry(number: number)
            catalog.add(CatalogAddition(entry: entry, days: [], fingerprints: fingerprints, results: results))
            if let row = catalog.add(fingerprints, limit: shape.filterCount) {
                rows.insert(
                    HistoryRow(number: Int64(-catalog.filterRowCount), state: FingerprintFilter.encode(row)),
                    at: 0
                )
            }
            catalog.trim(shape)
            rows.removeAll { $0.number == 0 }
            rows.append(HistoryRow(number: 0, state: catalog.encoded(blocks.state.strings, blocks.state.details)))
            let written = try #require(try CatalogView(rows))
            try #require(try written.entries().map(\.number) == Array(1...number) && written.nextNumber == number + 1)
            for owner in blocks.owners {
                let expected = blocks.expected(owner)
                guard let actor = try written.actor(owner, strings: &blocks.state.strings, &blocks.state.details)
                else {
                    let mayHave = written.mayContain(blocks.state.fingerprint(owner))
                    try #require(expected.isEmpty || mayHave, "seed \(seed)")
                    continue
                }
                let isEqual = blocks.state.details.areEqual(actor.days[...], expected.suffix(actor.days.count))
                try #require(isEqual, "seed \(seed)")
                try #require(actor.isCut == (actor.days.count < expected.count), "seed \(seed)")
                try #require(actor.days.count <= shape.dayCount)
            }
        }
    }

    private func gaps(of days: [DayOutcome]) -> [DayGaps] {
        var search = DayGapsSearch()
        search.find(days[...])
        return search.gaps
    }

    @Test func `the gaps of open results are those that they have among all days`() throws {
        var blocks = try Blocks(seed: 5)
        for _ in 0..<40 { _ = blocks.next() }
        for owner in blocks.owners {
            let all = [DayOutcome].joined(blocks.parts).filter { $0.owner == owner }
            #expect(gaps(of: blocks.expected(owner)) == gaps(of: all).filter { $0.next == 0 })
        }
    }
}
