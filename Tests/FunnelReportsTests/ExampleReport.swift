import FlowEvents
import Foundation
import Testing

@testable import Funnels

/// The report of the contract's examples, built from values.
enum ExampleReport {
    static func make() throws -> FunnelReport {
        let home = try funnel("home-to-paywall", steps: ["home", "paywall"])
        let profile = try funnel("profile-to-paywall", steps: ["profile", "paywall"])
        let names = ["paywall", "purchase"]
        let purchase = try funnel("paywall-to-purchase", .sessions, 3600, by: "paywall_source", steps: names)
        return FunnelReport(
            funnels: [
                result(home, [36, 24], 400_000),
                result(profile, [31, 17], 68500),
                result(
                    purchase,
                    [49, 22],
                    4001,
                    breakdown: [
                        BreakdownResult(value: "home", steps: steps(names, [37, 17], 3789)),
                        BreakdownResult(value: "profile", steps: steps(names, [19, 5], 64099)),
                        BreakdownResult(value: "settings", steps: steps(names, [18, 9], 4001)),
                    ]
                ),
            ],
            quality: Quality(events: 539, duplicates: 19, completeness: Completeness(expected: 519))
        )
    }

    static func funnel(
        _ name: String,
        _ count: Counting = .installs,
        _ seconds: Int64 = 1800,
        by breakdown: Breakdown? = nil,
        steps: [String]
    ) throws -> Funnel {
        try Funnel(
            name: name,
            count: count,
            window: .seconds(seconds),
            breakdown: breakdown,
            steps: steps.map { Step(name: $0, event: "screen_view") }
        )
    }

    static func result(
        _ funnel: Funnel,
        _ counts: [Int],
        _ median: Int64?,
        breakdown: [BreakdownResult]? = nil
    ) -> FunnelResult {
        let figures = steps(funnel.steps.map(\.name), counts, median)
        return FunnelResult(funnel: funnel, from: nil, to: nil, steps: figures, breakdown: breakdown)
    }

    static func steps(_ names: [String], _ counts: [Int], _ median: Int64?) -> [StepResult] {
        names.indices.map { index in
            var step = StepResult(name: names[index], index: index, counts: counts)
            step.medianFromFirst = index == 0 ? nil : median
            step.medianFromPrevious = index == 0 ? nil : median
            return step
        }
    }

    /// A report with everything that a report can have.
    static func full() throws -> FunnelReport {
        var report = try make()
        var funnel = report.funnels[2]
        (funnel.from, funnel.to) = (Day("2026-11-14"), Day("2026-11-20"))
        let partition = HeldBack.Partition(partition: 3, time: Timestamp(milliseconds: 1_795_169_700_000))
        funnel.states = DayStates(
            settledTo: Day("2026-11-19"),
            finalTo: Day("2026-11-05"),
            heldBackBy: HeldBack(settled: partition, final: HeldBack.Partition(partition: 5, time: nil))
        )
        let names = funnel.steps.map(\.name)
        let counts = [[580, 78], [0, 0], [29, 4], [601, 81], [590, 60], [612, 92], [312, 22]]
        funnel.trend = try zip(14..., counts).map { number, counts in
            let day = try #require(Day("2026-11-\(number)"))
            return TrendBucket(
                from: day,
                to: day,
                state: funnel.states.state(of: day),
                steps: steps(names, counts, counts[1] == 0 ? nil : 4001)
            )
        }
        funnel.steps = steps(names, [4061, 547], 4001)
        funnel.comparison = FunnelComparison(
            from: try #require(Day("2026-11-07")),
            to: try #require(Day("2026-11-13")),
            steps: [
                StepComparison(
                    count: 3900,
                    conversionFromFirst: Ratio(3900, of: 3900),
                    difference: nil,
                    differenceInterval: nil
                ),
                StepComparison(
                    count: 500,
                    conversionFromFirst: Ratio(500, of: 3900),
                    difference: Ratio(547, of: 4061, minus: 500, of: 3900),
                    differenceInterval: ScoreInterval(547, of: 4061, minus: 500, of: 3900)
                ),
            ]
        )
        funnel.steps[1].times = StepTimes(fromFirst: times, fromPrevious: times)
        report.funnels = [funnel]
        return report
    }

    /// The distribution of 547 times.
    static var times: TimeDistribution {
        let bounds = [0] + TimeDistribution.bounds
        let counts = [60, 100, 187, 0, 150, 50]
        return TimeDistribution(
            percentiles: [900, 2100, 4001, 12_000, 25_000, 31_500],
            histogram: bounds.indices.map { index in
                TimeDistribution.Bucket(
                    from: bounds[index],
                    to: index + 1 < bounds.count ? bounds[index + 1] : nil,
                    count: index < counts.count ? counts[index] : 0
                )
            }
        )
    }

    static func fixture(_ name: String) throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: tests.appending(path: "Fixtures/examples/\(name)"), encoding: .utf8)
    }
}
