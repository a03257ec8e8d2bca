import FlowEvents
import Testing

@testable import Funnels

@Suite struct ExperimentResultTests {
    private typealias Tally = ExperimentResult.Tally

    private static func result(
        _ experiment: Experiment,
        _ tallies: [Tally],
        actors: Int? = nil
    ) throws -> ExperimentResult {
        let funnel = try Funnel(
            name: "f",
            window: .seconds(60),
            breakdown: "properties.variant",
            experiment: experiment
        ) {
            Step(name: "a", event: "a")
            Step(name: "b", event: "b").summing("properties.price", decimals: 2, unit: "properties.currency")
        }
        let sum = tallies.reduce(0) { $0 + ($1.counts.first ?? 0) }
        return ExperimentResult(
            experiment,
            of: funnel,
            days: (from: Day(number: 10), to: Day(number: 20)),
            actors: actors ?? sum,
            variantActors: sum,
            tallies
        )
    }

    @Test func `the control stands first, the others in the order of their bytes`() throws {
        let tallies = ["z", "é", "a", "B"].map { Tally(value: $0, counts: [10, 1]) }
        let result = try Self.result(Experiment(control: "z"), tallies)
        #expect(result.variants.map(\.value) == ["z", "B", "a", "é"])
        #expect(result.variants[0].steps.allSatisfy { $0.lift == nil })
        #expect(result.variants.dropFirst().allSatisfy { $0.steps[0].lift == nil && $0.steps[1].lift != nil })
    }

    @Test func `a variant with a share and without actors is there, and so is the control`() throws {
        let experiment = Experiment(control: "plain", shares: ["video": 1, "plain": 1, "new": 2])
        let result = try Self.result(experiment, [Tally(value: "video", counts: [40, 4])])
        #expect(result.variants.map(\.value) == ["plain", "new", "video"])
        #expect(result.variants.map { $0.steps[0].count } == [0, 0, 40])
        #expect(result.variants[2].steps[1].lift?.difference == nil)
        #expect(result.sampleRatio?.groups.map(\.count) == [40, 0, 0])
    }

    @Test func `without shares, all values with actors are meant to have equally many`() throws {
        let tallies = [("plain", 6100), ("video", 3900), ("gone", 0)].map { Tally(value: $0.0, counts: [$0.1, 1]) }
        let ratio = try #require(try Self.result(Experiment(control: "plain"), tallies).sampleRatio)
        #expect(ratio.groups.map(\.value) == ["plain", "video"] && ratio.isMismatch)
    }

    @Test func `a value without a share is compared, and is no part of the shares`() throws {
        let experiment = Experiment(control: "plain", shares: ["plain": 1, "video": 1])
        let tallies = [("plain", 500), ("video", 510), ("(none)", 9000)].map { Tally(value: $0.0, counts: [$0.1, 5]) }
        let result = try Self.result(experiment, tallies)
        #expect(result.variants.map(\.value) == ["plain", "(none)", "video"])
        #expect(result.sampleRatio?.groups.map(\.count) == [500, 510] && result.sampleRatio?.isMismatch == false)
    }

    @Test func `one variant has no sample ratio`() throws {
        let result = try Self.result(Experiment(control: "plain"), [Tally(value: "plain", counts: [50, 5])])
        #expect(result.sampleRatio == nil && result.variants.count == 1)
    }

    @Test func `an actor under two variants is told`() throws {
        let tallies = [("plain", 30), ("video", 25)].map { Tally(value: $0.0, counts: [$0.1, 5]) }
        #expect(try Self.result(Experiment(control: "plain"), tallies, actors: 50).crossed == 5)
    }

    @Test func `each variant has the money of each unit, also 0, and Welch's interval of the difference`() throws {
        func sums(_ unit: String, _ count: Int64, _ price: Int64) -> SummaryDetails {
            var details = SummaryDetails()
            details.add(price, to: SummaryDetails.Key(subject: .sum(step: 1), text: Array(unit.utf8)), count: count)
            return details
        }
        let tallies = [
            Tally(value: "plain", counts: [4020, 402], details: sums("EUR", 402, 499)),
            Tally(value: "video", counts: [3980, 430], details: sums("EUR", 430, 499)),
            Tally(value: "yen", counts: [20, 2], details: sums("JPY", 2, 500)),
        ]
        let result = try Self.result(Experiment(control: "plain"), tallies)
        #expect(result.variants.allSatisfy { $0.sums.map(\.unit) == ["EUR", "JPY"] })
        #expect(result.variants.allSatisfy { $0.sums.allSatisfy { $0.step == "b" } })
        #expect(result.variants[0].sums.map(\.perActor) == [0.499, 0])
        #expect(result.variants[0].sums.allSatisfy { $0.difference == nil && $0.differenceInterval == nil })
        let video = result.variants[1].sums[0]
        // 4.99·√(p(1 − p)/(n − 1)) of both, worked out by hand.
        #expect(video.perActor == 0.539121 && video.difference == 0.040121)
        #expect(video.differenceInterval.map { [$0.lowerBound, $0.upperBound] } == [-0.026652, 0.106894])
        let yen = result.variants[2].sums
        #expect(yen.map(\.perActor) == [0, 0.5] && yen.allSatisfy { $0.differenceInterval == nil })
        #expect(yen.map(\.difference) == [-0.499, 0.5])
    }
}
