import FlowEventTestSupport
import Foundation
import FunnelStore
import FunnelTestSupport
import Testing

@testable import Funnels

/// The queries of the article QueryingResults.md, compared with reports on the same store.
@Suite struct QueryingArticleTests {
    private static let stores = StoreUnderTest.all

    private static func text() throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let article = "../../Sources/Server/FunnelStore/FunnelStore.docc/QueryingResults.md"
        return try String(contentsOf: tests.appending(path: article), encoding: .utf8)
    }

    /// The query of a name, with the placeholders replaced as the tool replaces them.
    private static func query(_ name: String, _ placeholders: [String: String]) throws -> String {
        let parts = try text().components(separatedBy: "```sql \(name)\n")
        try #require(parts.count == 2, "the article has one query \(name)")
        var query = try #require(parts[1].components(separatedBy: "```").first)
        for (placeholder, text) in placeholders {
            try #require(query.contains(placeholder), "\(name) has no \(placeholder)")
            query = query.replacingOccurrences(of: placeholder, with: text)
        }
        return query
    }

    /// A store with random actors, and what a report on it says.
    private struct FilledStore {
        let open: OpenStore
        let funnels: [Funnel]
        private let number: (String) throws -> Int64

        init(_ kind: StoreUnderTest, seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            let open = try OpenStore(kind)
            let funnels = try RandomActors.funnels()
            _ = try open.rebuilder.rebuild { try $0.setFunnels(funnels, counted: [], completeFrom: nil) }
            _ = try open.store.takeRebuiltFunnels()
            var actors = RandomActors()
            for _ in 0..<3 { #expect(try open.commit([], [], actors.commit(&generator)) == .committed) }
            (self.open, self.funnels, number) = (open, funnels, try open.makeQuery())
        }

        /// A column of the row of a query that meets a condition; 0 where no row does.
        func cell(_ column: String, _ query: String, where condition: String = "1 = 1") throws -> Int64 {
            try number("SELECT CAST(coalesce(max(\(column)), 0) AS bigint) FROM (\(query)) AS q WHERE \(condition)")
        }

        func rowCount(_ query: String) throws -> Int64 { try number("SELECT count(*) FROM (\(query)) AS q") }

        func report(_ from: Int32, _ to: Int32) throws -> [FunnelResult] {
            try open.reader.withSnapshot {
                try FunnelReport.figures(from: $0, funnels: funnels, from: Day(number: from), to: Day(number: to))
                    .funnels
            }
        }

        /// The counts of the steps of each funnel.
        func counts(_ from: Int32, _ to: Int32) throws -> [[Int64]] {
            try report(from, to).map { $0.steps.map { Int64($0.count) } }
        }
    }

    private static func grafana(_ from: Int32, _ to: Int32) -> [String: String] {
        [
            "$funnel": "second",
            "$__timeFrom()": "'\(Day(number: from))T00:00:00Z'",
            "$__timeTo()": "'\(Day(number: to))T23:59:59.999Z'",
        ]
    }

    @Test(arguments: stores, [1, 2, 3] as [UInt64])
    func `Grafana draws the conversion of each day, and the steps of a range`(
        kind: StoreUnderTest,
        seed: UInt64
    ) throws {
        let store = try FilledStore(kind, seed: seed)
        let trend = try Self.query("trend", Self.grafana(-2, 9))
        var rowCount: Int64 = 0
        for day in Int32(-3)...12 {
            let counts = try store.counts(day, day)[1]
            let isShown = (-2...9).contains(day) && counts[0] > 0
            rowCount += isShown ? 1 : 0
            let found = try store.cell("round(conversion * 1000)", trend, where: "time = '\(Day(number: day))'")
            let expected = isShown ? (Double(counts[1]) * 100_000 / Double(counts[0])).rounded() : 0
            #expect(found == Int64(expected), "\(Day(number: day)): \(counts)")
        }
        #expect(try store.rowCount(trend) == rowCount && rowCount > 5)
        for (from, to) in [(-2, 9), (0, 3), (5, 5), (13, 20)] as [(Int32, Int32)] {
            let steps = try Self.query("steps", Self.grafana(from, to))
            let found = try (1...3).map { try store.cell("step_\($0)", steps) }
            #expect(try found == store.counts(from, to)[1], "\(from) to \(to)")
        }
    }

    @Test(arguments: stores, [1, 2, 3] as [UInt64])
    func `Metabase shows the values of a range`(kind: StoreUnderTest, seed: UInt64) throws {
        let store = try FilledStore(kind, seed: seed)
        for (from, to) in [(-3, 12), (2, 4), (7, 7)] as [(Int32, Int32)] {
            let query = try Self.query(
                "breakdown",
                [
                    "{{funnel}}": "'first'", "{{from}}": "'\(Day(number: from))'", "{{to}}": "'\(Day(number: to))'",
                ]
            )
            let values = try #require(try store.report(from, to)[0].breakdown)
            #expect(try store.rowCount(query) == values.count && (from > -3 || !values.isEmpty))
            for value in values {
                let condition = "value = '\(value.value.description.replacingOccurrences(of: "'", with: "''"))'"
                #expect(try store.cell("entered", query, where: condition) == value.steps[0].count)
                #expect(try store.cell("converted", query, where: condition) == value.steps[1].count)
            }
        }
    }

    @Test(arguments: stores, [1, 2, 3] as [UInt64])
    func `DuckDB lists how many reached each depth on each day`(kind: StoreUnderTest, seed: UInt64) throws {
        let store = try FilledStore(kind, seed: seed)
        let query = try Self.query("days", [:])
        for day in Int32(-3)...12 {
            for (funnel, counts) in zip(["first", "second"], try store.counts(day, day)) {
                for depth in 1...3 {
                    let found = try store.cell(
                        "reached",
                        query,
                        where: "funnel = '\(funnel)' AND day = '\(Day(number: day))' AND depth >= \(depth)"
                    )
                    #expect(found == counts[depth - 1], "\(funnel), \(Day(number: day)), \(depth)")
                }
            }
        }
    }

    @Test(arguments: stores, [1, 2, 3] as [UInt64])
    func `dbt counts each week's actors once`(kind: StoreUnderTest, seed: UInt64) throws {
        let store = try FilledStore(kind, seed: seed)
        let weeks: [(Int32, Int32)] = [(-3, 3), (4, 10), (11, 17)]
        let calendar = weeks.map { first, last in
            "SELECT date('\(Day(number: first))') AS first_day, date('\(Day(number: last))') AS last_day"
        }
        let query = try Self.query(
            "weeks",
            [
                "{{ ref('weeks') }}": "(\(calendar.joined(separator: " UNION ALL ")))",
                "{{ source('funnels', 'funnel_results') }}": "funnel_results",
            ]
        )
        for (first, last) in weeks {
            for (funnel, counts) in zip(["first", "second"], try store.counts(first, last)) {
                let condition = "funnel = '\(funnel)' AND first_day = '\(Day(number: first))'"
                #expect(try store.cell("entered", query, where: condition) == counts[0])
                #expect(try store.cell("converted", query, where: condition) == counts[1])
            }
        }
    }
}
