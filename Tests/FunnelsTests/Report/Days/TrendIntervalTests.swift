import FlowEventTestSupport
import Foundation
import Testing

@testable import Funnels

@Suite struct TrendIntervalTests {
    private static func text(_ interval: TrendInterval, _ from: String, _ to: String) throws -> [String] {
        try interval.buckets(from: #require(Day(from)), to: #require(Day(to)))
            .map { "\($0.lowerBound)...\($0.upperBound)" }
    }

    @Test func `days, weeks from Monday on, and months are clipped to the range`() throws {
        #expect(
            try Self.text(.day, "2026-02-28", "2026-03-01")
                == ["2026-02-28...2026-02-28", "2026-03-01...2026-03-01"]
        )
        // 2026-11-18 is a Wednesday.
        #expect(
            try Self.text(.week, "2026-11-18", "2026-11-30")
                == ["2026-11-18...2026-11-22", "2026-11-23...2026-11-29", "2026-11-30...2026-11-30"]
        )
        #expect(
            try Self.text(.month, "2025-12-31", "2026-02-03")
                == ["2025-12-31...2025-12-31", "2026-01-01...2026-01-31", "2026-02-01...2026-02-03"]
        )
        #expect(try Self.text(.month, "2024-02-01", "2024-02-29") == ["2024-02-01...2024-02-29"])
        #expect(try Self.text(.day, "2026-02-28", "2026-02-27").isEmpty)
    }

    @Test(arguments: Seeds.upTo(300))
    func `buckets agree with Foundation's calendar, and with their number`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        let first = Day(number: Int32(generator.next() % 60_000) - 20_000)
        let last = first.advanced(by: Int(generator.next() % 900))
        for (interval, component) in [(.day, .day), (.week, .weekOfYear), (.month, .month)]
            as [(TrendInterval, Calendar.Component)]
        {
            let buckets = interval.buckets(from: first, to: last)
            #expect(buckets.count == interval.bucketCount(from: first, to: last), "seed \(seed)")
            #expect(buckets.first?.lowerBound == first && buckets.last?.upperBound == last)
            for (bucket, next) in zip(buckets, buckets.dropFirst()) {
                #expect(bucket.upperBound.advanced(by: 1) == next.lowerBound)
            }
            for bucket in buckets {
                let dates = [bucket.lowerBound, bucket.upperBound].map {
                    Date(timeIntervalSince1970: Double($0.number) * 86_400)
                }
                let whole = try #require(calendar.dateInterval(of: component, for: dates[0]))
                #expect(whole.contains(dates[1]), "seed \(seed)")
                #expect(bucket.lowerBound == first || dates[0] == whole.start, "seed \(seed)")
                #expect(bucket.upperBound == last || dates[1] == whole.end.addingTimeInterval(-86_400), "seed \(seed)")
            }
        }
    }
}
