import FlowEvents
import FunnelReports
import Testing

@testable import Funnels

/// A report of many days and values, as a page of a busy app would have it.
enum ExamplePage {
    static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'><svg onload=alert(1)>", "a&lt;b&amp;c",
        "\u{202E}evil\u{202C}", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}", "", "]]>", "</td></table>", "javascript:alert(1)",
    ]

    /// - Parameter values: the breakdown values.
    static func report(funnels count: Int = 1, days: Int = 90, values: [String] = hostile) throws -> FunnelReport {
        let names = ["home", "profile", "paywall", "purchase"]
        let results = try (0..<count).map { number in
            let funnel = try Funnel(
                name: "home-to-purchase-\(number)",
                description: "From the <home> screen to a purchase in one visit",
                count: .sessions,
                window: .seconds(3600),
                breakdown: "properties.plat<form>",
                steps: names.map { Step(name: $0, event: "screen_view") }
            )
            let first = try #require(Day("2026-08-23"))
            var result = FunnelResult(
                funnel: funnel,
                from: first,
                to: Day(number: first.number + Int32(days) - 1),
                states: DayStates(
                    settledTo: Day(number: first.number + Int32(days) - 3),
                    finalTo: Day(number: first.number + Int32(days) - 17),
                    heldBackBy: HeldBack(
                        settled: HeldBack.Partition(partition: 3, time: Timestamp(milliseconds: 1_795_169_700_000)),
                        final: HeldBack.Partition(partition: 3, time: Timestamp(milliseconds: 1_795_169_700_000))
                    )
                ),
                steps: steps(names, [23_864, 18_352, 10_672, 3951]),
                breakdown: values.enumerated().map { index, value in
                    let size = 4000 / (index + 1) + 20
                    return BreakdownResult(
                        value: .text(value),
                        steps: steps(names, [size, size * 7 / 9, size / 2, size * (index % 4 + 3) / 40])
                    )
                }
            )
            result.trend = (0..<Int32(days)).map { index in
                let day = Day(number: first.number + index)
                let entered =
                    index == 40 ? 0 : index == 41 ? 12 : Int(1500 + (index * 37) % 90) >> (index == 89 ? 4 : 0)
                let share = 160 + (Int(index) * 53) % 29 - (index > 87 ? 40 : 0)
                let counts = [entered, entered * 7 / 9, entered * 4 / 9, entered * share / 1000]
                var steps = steps(names, counts)
                for step in steps.indices { steps[step].times = nil }
                return TrendBucket(from: day, to: day, state: result.states.state(of: day), steps: steps)
            }
            result.comparison = FunnelComparison(
                from: Day(number: first.number - Int32(days)),
                to: Day(number: first.number - 1),
                steps: zip([22_000, 17_000, 10_000, 3500], [23_864, 18_352, 10_672, 3951]).map { old, new in
                    StepComparison(
                        count: old,
                        conversionFromFirst: Ratio(old, of: 22_000),
                        difference: Ratio(new, of: 23_864, minus: old, of: 22_000),
                        differenceInterval: ScoreInterval(new, of: 23_864, minus: old, of: 22_000)
                    )
                }
            )
            return result
        }
        return FunnelReport(
            funnels: results,
            quality: Quality(
                events: 200_570,
                duplicates: 43,
                completeness: Completeness(expected: 200_600, missing: 30)
            )
        )
    }

    private static func steps(_ names: [String], _ counts: [Int]) -> [StepResult] {
        names.indices.map { index in
            var step = StepResult(name: names[index], index: index, counts: counts)
            guard index > 0 else { return step }
            step.medianFromFirst = 4001 * Int64(index * index)
            step.medianFromPrevious = 4001
            step.times = StepTimes(fromFirst: ExampleReport.times, fromPrevious: ExampleReport.times)
            return step
        }
    }
}
