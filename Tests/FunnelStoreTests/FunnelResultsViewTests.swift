import FlowEventTestSupport
import Foundation
import FunnelStore
import FunnelStoreTestSupport
import FunnelTestSupport
import Testing

@testable import Funnels

/// The view `funnel_results`, compared with the report on the same store.
@Suite struct FunnelResultsViewTests {
    typealias Fixtures = StoreFixtures

    private static let stores = StoreUnderTest.all

    /// Returns the number of actors that the view counts, by the query of the documentation.
    private func count(
        _ query: (String) throws -> Int64,
        _ funnel: String,
        value: String?,
        step: Int,
        _ days: ClosedRange<Int32>
    ) throws -> Int {
        let (from, to) = (Day(number: days.lowerBound).description, Day(number: days.upperBound).description)
        let isValue = value.map { "value = '\($0.replacingOccurrences(of: "'", with: "''"))'" } ?? "value IS NULL"
        return try Int(
            query(
                """
                SELECT CAST(coalesce(sum(actors), 0) AS bigint) FROM funnel_results
                WHERE funnel = '\(funnel)' AND \(isValue) AND depth >= \(step) AND day BETWEEN '\(from)' AND '\(to)'
                    AND (previous_day IS NULL OR previous_day < '\(from)')
                    AND (next_day IS NULL OR next_day > '\(to)')
                """
            )
        )
    }

    /// Compares every step of every value in random ranges.
    private func compare(_ open: OpenStore, _ funnels: [Funnel], _ generator: inout SeededGenerator) throws {
        let query = try open.makeQuery()
        for _ in 0..<3 {
            let bounds = (0..<2).map { _ in Int32.random(in: -5...15, using: &generator) }.sorted()
            let days = bounds[0]...bounds[1]
            let report = try open.reader.withSnapshot {
                try FunnelReport.figures(
                    from: $0,
                    funnels: funnels,
                    from: Day(number: days.lowerBound),
                    to: Day(number: days.upperBound)
                )
            }
            for (funnel, result) in zip(funnels, report.funnels) {
                for (step, expected) in zip(1..., result.steps) {
                    let found = try count(query, funnel.name, value: nil, step: step, days)
                    #expect(found == expected.count, "\(funnel.name), step \(step), \(days)")
                }
                for value in RandomActors.values {
                    let expected =
                        result.breakdown?.first { $0.value == .text(value) }?.steps.map(\.count) ?? [0, 0, 0]
                    let found = try (1...3).map { try count(query, funnel.name, value: value, step: $0, days) }
                    #expect(found == expected, "\(funnel.name), value \(value), \(days)")
                }
            }
        }
    }

    @Test(arguments: stores, [1, 2, 3] as [UInt64])
    func `the view gives the counts of the report for every range, also after a rebuild`(
        kind: StoreUnderTest,
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let open = try OpenStore(kind)
        let funnels = try RandomActors.funnels()
        _ = try open.rebuilder.rebuild { try $0.setFunnels(funnels, counted: [], completeFrom: nil) }
        _ = try open.store.takeRebuiltFunnels()
        var actors = RandomActors()
        for _ in 0..<5 {
            let commit = try actors.commit(&generator)
            #expect(try open.commit([], [], commit) == .committed)
            try compare(open, funnels, &generator)
        }
        let swapped = [funnels[1], funnels[0]]
        try open.rebuilder.rebuild { store in
            try store.moveSummary([0: 1, 1: 0])
            try store.add(actors.commit(&generator))
            try store.setFunnels(swapped, counted: [], completeFrom: nil)
        }
        try compare(open, swapped, &generator)
        try open.rebuilder.rebuild { store in
            try store.moveSummary([1: 0])
            try store.setFunnels([swapped[1]], counted: [], completeFrom: nil)
        }
        try compare(open, [swapped[1]], &generator)
        let others = "SELECT count(*) FROM funnel_results WHERE funnel <> '\(swapped[1].name)'"
        #expect(try open.makeQuery()(others) == 0)
    }

    @Test(arguments: stores)
    func `what cancels out leaves no row, and U+0000 is shown as U+FFFD`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        func commit(_ value: String?, _ count: Int) throws {
            let outcome = Outcome(steps: 0b1, rank: 1)
            let delta = SummaryDelta(
                key: Fixtures.key(0, value, day: 1),
                counts: [OutcomeCount(gaps: DayGaps(previous: 2), outcome: outcome, actors: Int64(count))]
            )
            #expect(try open.commit([], [], [delta]) == .committed)
        }
        for value in [nil, "", "a\u{0}b", "a\u{FFFD}b", "ä€😀", String(repeating: "x", count: 100_000)] {
            try commit(value, 3)
        }
        let query = try open.makeQuery()
        let shown = "SELECT CAST(sum(actors) AS bigint) FROM funnel_results WHERE value = 'a\u{FFFD}b'"
        #expect(try query(shown) == 6)
        #expect(try query("SELECT CAST(sum(actors) AS bigint) FROM funnel_results WHERE value = 'ä€😀'") == 3)
        let empty = "SELECT CAST(sum(actors) AS bigint) FROM funnel_results WHERE value = '' AND funnel = 'first'"
        #expect(try query(empty) == 3)
        let days = "day = '1970-01-02' AND previous_day = '1969-12-31' AND next_day IS NULL AND depth = 1"
        #expect(try query("SELECT count(*) FROM funnel_results WHERE value IS NULL AND \(days)") == 1)
        for value in [nil, "", "a\u{0}b", "a\u{FFFD}b", "ä€😀", String(repeating: "x", count: 100_000)] {
            try commit(value, -3)
        }
        #expect(try query("SELECT count(*) FROM funnel_results") == 0)
    }
}
