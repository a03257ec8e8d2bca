import FlowEvents
import Foundation
import Funnels

/// The report of the contract's examples, built from values.
enum ExampleReport {
    static func make() throws -> FunnelReport {
        let home = try funnel("home-to-paywall", steps: ["home", "paywall"])
        let profile = try funnel("profile-to-paywall", steps: ["profile", "paywall"])
        let names = ["paywall", "purchase"]
        let purchase = try funnel("paywall-to-purchase", .sessions, 3600, by: .data("paywall_source"), steps: names)
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
        by breakdown: Field? = nil,
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
        zip(names, counts).enumerated().map { index, step in
            StepResult(
                name: step.0,
                count: step.1,
                conversionFromFirst: Ratio(step.1, of: counts[0]),
                conversionFromPrevious: Ratio(step.1, of: counts[max(0, index - 1)]),
                medianFromFirst: index == 0 ? nil : median,
                medianFromPrevious: index == 0 ? nil : median
            )
        }
    }

    static func fixture(_ name: String, file: StaticString = #filePath) throws -> String {
        let tests = URL(fileURLWithPath: "\(file)").deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: tests.appending(path: "Fixtures/examples/\(name)"), encoding: .utf8)
    }
}
