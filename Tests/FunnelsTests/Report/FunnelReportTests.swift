import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

/// Reports against a brute force over random events.
@Suite struct FunnelReportTests {
    private static let start: Int64 = 1_772_323_200_000  // 2026-03-01
    private static let day: Int64 = 86_400_000

    /// Random events in a store and in the brute force, with what is known of the topic.
    private struct Stage {
        var random: RandomFunnels
        let funnels: [Funnel]
        let store: CountedTopic
        let oracle: FunnelOracle
        let stream: TopicProgress

        init(seed: UInt64, days: Int64 = 40, count: Int = 200, installs: Int = 60) throws {
            random = RandomFunnels(seed: seed)
            funnels = try random.funnels()
            let events = random.events(count: count, installs: installs, days: days)
            var store = try CountedTopic(funnels: funnels)
            for event in events {
                try store.insert(event)
                if random.generator.chance(5) { try store.commit() }
            }
            try store.commit()
            self.store = store
            oracle = FunnelOracle(funnels: funnels, records: events.map { FunnelOracle.Record($0) })
            let watermark = start + Int64(random.generator.next() % UInt64(days)) * day
            stream = TopicProgress(
                partitions: [
                    PartitionProgress(partition: 0, nextOffset: 1, watermark: Timestamp(milliseconds: watermark))
                ],
                partitionCount: 1,
                greatestLateness: day
            )
        }

        mutating func someDay() -> Day {
            Day(number: Int32(20_513) + Int32(random.generator.next() % 44))
        }

        func report(_ request: ReportRequest) throws -> FunnelReport {
            try FunnelReport.make(from: StreamedSummary(store, stream), funnels: funnels, request)
        }
    }

    @Test(arguments: Seeds.upTo(150))
    func `every bucket and every figure equals the brute force for its range alone`(seed: UInt64) throws {
        var stage = try Stage(seed: seed)
        let days = [stage.someDay(), stage.someDay()].sorted()
        let interval = stage.random.generator.pick(TrendInterval.allCases)
        let request = ReportRequest(
            days: .between(days[0], days[1]),
            trend: interval,
            isCompared: true,
            hasTimes: stage.random.generator.chance(50)
        )
        let report = try stage.report(request)
        let expected = stage.oracle.report(from: days[0], to: days[1], hasTimes: request.hasTimes)
        let length = days[0].count(through: days[1])
        let earlier = (days[0].advanced(by: -length), days[0].advanced(by: -1))
        let before = stage.oracle.report(from: earlier.0, to: earlier.1)
        for (index, result) in report.funnels.enumerated() {
            #expect(result.steps == expected.funnels[index].steps, "seed \(seed)")
            #expect(result.breakdown == expected.funnels[index].breakdown, "seed \(seed)")
            let trend = try #require(result.trend)
            #expect(trend.map { $0.from...$0.to } == interval.buckets(from: days[0], to: days[1]))
            for bucket in trend {
                let alone = stage.oracle.report(from: bucket.from, to: bucket.to).funnels[index]
                #expect(bucket.steps == alone.steps, "seed \(seed), \(bucket.from)")
                #expect(bucket.state == result.states.state(of: bucket.to))
            }
            let comparison = try #require(result.comparison)
            #expect(comparison.from == earlier.0 && comparison.to == earlier.1)
            Self.expect(comparison, result.steps.map(\.count), before.funnels[index].steps.map(\.count))
        }
        #expect(report.quality == expected.quality)
    }

    private static func expect(_ comparison: FunnelComparison, _ new: [Int], _ old: [Int]) {
        #expect(comparison.steps.map(\.count) == old)
        #expect(comparison.steps[0].difference == nil && comparison.steps[0].differenceInterval == nil)
        for (index, step) in comparison.steps.enumerated() {
            #expect(step.conversionFromFirst == Ratio(old[index], of: old[0]))
            guard index > 0 else { continue }
            #expect(step.difference == Ratio(new[index], of: new[0], minus: old[index], of: old[0]))
            let interval = IntervalOracle.difference(new[index], of: new[0], minus: old[index], of: old[0])
            #expect(step.differenceInterval == interval)
        }
    }

    @Test(arguments: Seeds.upTo(100))
    func `every bucket equals the report for its range alone`(seed: UInt64) throws {
        let stage = try Stage(seed: seed)
        for interval in TrendInterval.allCases {
            let report = try stage.report(ReportRequest(trend: interval))
            for (index, result) in report.funnels.enumerated() {
                for bucket in try #require(result.trend) {
                    let alone = try FunnelReport.figures(
                        from: stage.store,
                        funnels: stage.funnels,
                        from: bucket.from,
                        to: bucket.to
                    )
                    #expect(bucket.steps == alone.funnels[index].steps, "seed \(seed), \(interval), \(bucket.from)")
                }
            }
        }
    }

    @Test(arguments: Seeds.upTo(60))
    func `without days a trend goes from the first day with entries to the last one, empty buckets included`(
        seed: UInt64
    ) throws {
        var stage = try Stage(seed: seed, count: 30)
        let bound = stage.random.generator.chance(50) ? stage.someDay() : nil
        let report = try stage.report(ReportRequest(days: .between(bound, nil), trend: .day))
        for (index, result) in report.funnels.enumerated() {
            let entered = (-3..<50).map { Day(number: 20_513 + $0) }.filter { day in
                let steps = stage.oracle.report(from: day, to: day).funnels[index].steps
                return bound.map { $0 <= day } ?? true && steps[0].count > 0
            }
            let trend = try #require(result.trend)
            #expect(trend.first?.from == (entered.isEmpty ? nil : bound ?? entered.first), "seed \(seed)")
            #expect(trend.last?.to == entered.last, "seed \(seed)")
            #expect(result.from == bound && result.to == nil)
        }
    }

    @Test(arguments: Seeds.upTo(100))
    func `the last days end with the newest day that has entries and is not in the future, or is settled`(
        seed: UInt64
    ) throws {
        var stage = try Stage(seed: seed, count: 30)
        let last = try #require(LastDays(stage.random.generator.pick(["1d", "3d", "1w", "1m"])))
        let isSettledOnly = stage.random.generator.chance(50)
        let report = try stage.report(ReportRequest(days: .last(last), isSettledOnly: isSettledOnly))
        let newest = stage.stream.partitions[0].watermark.map(Day.init(containing:))
        for (index, result) in report.funnels.enumerated() {
            let entered = (-3..<50).map { Day(number: 20_513 + $0) }.filter { day in
                let steps = stage.oracle.report(from: day, to: day).funnels[index].steps
                return newest.map { day <= $0 } ?? true && steps[0].count > 0
            }
            let anchor = isSettledOnly ? result.states.settledTo : entered.last
            #expect(result.to == anchor, "seed \(seed)")
            #expect(result.from == anchor.map(last.first), "seed \(seed)")
            #expect(result.hasNoDays == (anchor == nil), "seed \(seed)")
            let expected = stage.oracle.report(from: result.from, to: result.to).funnels[index]
            if anchor != nil { #expect(result.steps == expected.steps, "seed \(seed)") }
        }
    }

    @Test func `a report of no days has the figures of nobody, with all that was asked for`() throws {
        let stage = try Stage(seed: 1, count: 30)
        let future = try #require(Day("2100-01-01"))
        var request = ReportRequest(days: .between(future, future), trend: .day)
        request.hasTimes = true
        let nobody = try stage.report(request)
        request.isSettledOnly = true
        let noDays = try stage.report(request)
        #expect(noDays.funnels.allSatisfy(\.hasNoDays) && !nobody.funnels.contains(where: \.hasNoDays))
        for (result, other) in zip(noDays.funnels, nobody.funnels) {
            #expect(result.steps == other.steps && result.entries == other.entries && result.trend == [])
            #expect(result.steps.dropFirst().allSatisfy { $0.times != nil })
        }
    }

    @Test(arguments: Seeds.upTo(60))
    func `without open days a report ends with the last settled day`(seed: UInt64) throws {
        var stage = try Stage(seed: seed)
        let from = stage.random.generator.chance(50) ? stage.someDay() : nil
        let to = stage.random.generator.chance(50) ? from.map { $0.advanced(by: 9) } : nil
        let request = ReportRequest(days: .between(from, to), isSettledOnly: true, trend: .day, isCompared: false)
        for (index, result) in try stage.report(request).funnels.enumerated() {
            let settled = try #require(result.states.settledTo)
            let trend = try #require(result.trend)
            #expect(trend.allSatisfy { $0.state != .open }, "seed \(seed)")
            if let from, settled < from {
                #expect(result.from == from && result.to == to && trend.isEmpty)
                #expect(result.steps.allSatisfy { $0.count == 0 })
                continue
            }
            #expect(result.to == min(to ?? settled, settled), "seed \(seed)")
            #expect(result.steps == stage.oracle.report(from: from, to: result.to).funnels[index].steps)
        }
    }

    @Test func `all buckets are read in the same two passes as the whole`() throws {
        let stage = try Stage(seed: 7)
        let (first, last) = (Day(number: 20_513), Day(number: 20_560))
        func passes(_ request: ReportRequest) throws -> Int {
            let source = StreamedSummary(stage.store, TopicProgress())
            _ = try FunnelReport.make(from: source, funnels: [stage.funnels[0]], request)
            return source.passes
        }
        let plain = try passes(ReportRequest(days: .between(first, last)))
        var request = ReportRequest(days: .between(first, last), trend: .day, isCompared: true, hasTimes: true)
        #expect(try passes(request) == plain)
        request.trend = .month
        #expect(try passes(request) == plain)
    }

    @Test func `a request that cannot be answered says why`() throws {
        let stage = try Stage(seed: 3)
        let (first, last) = (Day(number: 0), Day(number: 1000))
        func error(_ request: ReportRequest) -> String? {
            do {
                _ = try stage.report(request)
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(
            error(ReportRequest(days: .between(last, first)))
                == "the first day 1972-09-27 is after the last day 1970-01-01"
        )
        for days in [(nil, nil), (first, nil), (nil, last)] as [(Day?, Day?)] {
            let request = ReportRequest(days: .between(days.0, days.1), isCompared: true)
            #expect(error(request) == "a comparison needs a first and a last day")
        }
        #expect(
            error(ReportRequest(days: .between(first, last), trend: .day))
                == "the trend of 'f0' by day has 1001 buckets, and at most 1000 can be shown: ask for fewer days or "
                + "longer buckets"
        )
        #expect(error(ReportRequest(days: .between(first.advanced(by: 1), last), trend: .day)) == nil)
        #expect(error(ReportRequest(days: .between(first, last), trend: .week)) == nil)
    }

    @Test func `a store without events has no days`() throws {
        let funnel = try Funnel(name: "f", window: .seconds(60), steps: [Step(name: "a", event: "a")])
        let source = StreamedSummary(try CountedTopic(funnels: [funnel]))
        let week = try #require(LastDays("7d"))
        for isSettledOnly in [false, true] {
            let request = ReportRequest(days: .last(week), isSettledOnly: isSettledOnly, trend: .day, isCompared: true)
            let result = try FunnelReport.make(from: source, funnels: [funnel], request).funnels[0]
            #expect(result.from == nil && result.to == nil && result.trend == [] && result.comparison == nil)
            #expect(result.steps.map(\.count) == [0] && result.states == DayStates())
        }
    }
}
