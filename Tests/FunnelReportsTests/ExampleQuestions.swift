import FlowEvents
import Testing

@testable import Funnels

/// A report of what people ask beyond the steps: optional steps, next places, values of two parts, money, a test of
/// variants.
enum ExampleQuestions {
    static let steps = ["home", "tour", "paywall", "purchase"]

    /// A report of two funnels: one with optional steps, next places and values of two parts, and one with an experiment.
    ///
    /// - Parameters:
    ///   - values: the values of the breakdown.
    ///   - variants: the actors of each variant and how many of them purchased, the control first.
    static func report(
        values: [[String]] = [["home", "month"], ["home", "year"], ["profile", "(not reached)"]],
        variants: [(name: String, counts: [Int])] = [("plain", [4020, 402]), ("video", [3980, 430])]
    ) throws -> FunnelReport {
        let quality = Quality(events: 20_000, duplicates: 0, completeness: Completeness(expected: 20_000))
        return FunnelReport(funnels: [try questions(values), try experiment(variants)], quality: quality)
    }

    private static func questions(_ values: [[String]]) throws -> FunnelResult {
        let money = Sum("properties.price", decimals: 2, unit: "properties.currency")
        let funnel = try Funnel(
            name: "home-to-purchase",
            description: "Who sees the tour, and where those go who do not buy",
            window: .seconds(86_400),
            breakdown: Breakdown(list: [.init("paywall_source"), .init("properties.plan", ofStep: "purchase")]),
            next: NextEvent("screen_view", field: "screen"),
            steps: steps.map { name in
                let step = Step(name: name, event: "screen_view", sum: name == "purchase" ? money : nil)
                return name == "tour" ? step.optional() : step
            }
        )
        var result = FunnelResult(
            funnel: funnel,
            from: nil,
            to: nil,
            steps: figures([1000, 420, 600, 150], units: [("EUR", 123_450, 120), ("JPY", 45_000, 30)]),
            breakdown: nil
        )
        result.steps[0].next = NextPlaces(
            places: [("profile", 210), ("(nothing)", 120), ("settings", 40), ("help", 15), ("news", 10), ("end", 5)]
                .map { NextPlaces.Place(value: $0, count: $1) }
        )
        result.steps[2].next = NextPlaces(
            places: [("home", 300), ("(nothing)", 149), ("", 1)].map { NextPlaces.Place(value: $0, count: $1) }
        )
        result.entries = EntryCounts(counts: [100, 30, 10, 6, 4])
        result.breakdown = values.enumerated().map { index, value in
            let size = 500 / (index + 1) + 20
            return BreakdownResult(
                value: .list(value),
                steps: figures([size, size / 3, size / 2, size / 8], units: [("EUR", Int64(size) * 110, size / 9)])
            )
        }
        return result
    }

    private static func figures(_ counts: [Int], units: [(String, Int64, Int)]) -> [StepResult] {
        let previous = [0, 0, 0, 2]
        var figures = steps.indices.map {
            StepResult(name: steps[$0], index: $0, counts: counts, previous: previous[$0])
        }
        figures[1].isOptional = true
        figures[1].nextStep = NextStepResult(
            with: Conversion(count: counts[1] * 62 / 100, of: counts[1]),
            without: Conversion(count: counts[2] - counts[1] * 62 / 100, of: counts[0] - counts[1])
        )
        figures[3].sums = StepSums(
            decimals: 2,
            without: 0,
            units: units.map { unit, sum, count in
                let mean = Double(sum) / 100 / Double(counts[0])
                let interval = counts[0] < 30 ? nil : mean * 0.8...mean * 1.2
                return StepSums.Unit(
                    unit: unit,
                    sum: sum,
                    count: count,
                    perActor: ActorMean(mean: ActorMean.rounded(mean), interval: interval)
                )
            }
        )
        return figures
    }

    private static func experiment(_ variants: [(name: String, counts: [Int])]) throws -> FunnelResult {
        let money = Sum("properties.price", decimals: 2, unit: "properties.currency")
        let experiment = Experiment(control: "plain", shares: ["plain": 1, "video": 1])
        let funnel = try Funnel(
            name: "paywall-test",
            window: .seconds(3600),
            breakdown: "properties.variant",
            experiment: experiment,
            steps: [
                Step(name: "paywall", event: "screen_view"), Step(name: "purchase", event: "purchase", sum: money),
            ]
        )
        let names = funnel.steps.map(\.name)
        let counts = names.indices.map { index in variants.reduce(0) { $0 + $1.counts[index] } }
        var result = FunnelResult(
            funnel: funnel,
            from: Day("2026-11-02"),
            to: Day("2026-11-17"),
            states: DayStates(settledTo: Day("2026-11-15"), finalTo: Day("2026-11-05")),
            steps: names.indices.map { StepResult(name: names[$0], index: $0, counts: counts) },
            breakdown: nil
        )
        result.breakdown = variants.sorted { $0.name < $1.name }.map { name, counts in
            let steps = names.indices.map { StepResult(name: names[$0], index: $0, counts: counts) }
            return BreakdownResult(value: .text(name), steps: steps)
        }
        let tallies = variants.map { name, counts in
            var tally = ExperimentResult.Tally(value: name, counts: counts)
            let price = SummaryDetails.Key(subject: .sum(step: 1), text: Array("EUR".utf8))
            tally.details.add(499, to: price, count: Int64(counts[1]))
            return tally
        }
        result.experiment = ExperimentResult(
            experiment,
            of: funnel,
            days: Day("2026-11-15").map { (from: Day("2026-11-02"), to: $0) },
            actors: counts[0] - 3,
            variantActors: counts[0],
            tallies
        )
        return result
    }
}
