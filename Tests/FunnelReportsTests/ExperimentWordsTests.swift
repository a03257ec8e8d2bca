import FlowEvents
import Testing

@testable import Funnels

@testable import FunnelReports

@Suite struct ExperimentWordsTests {
    private static func verdicts(_ plain: [Int], _ video: [Int]) throws -> [String] {
        let result = try ExampleQuestions.report(variants: [("plain", plain), ("video", video)]).funnels[1]
        return ExperimentWords.verdicts(try #require(result.experiment), of: result.funnel)
    }

    @Test func `an interval with 0 in it decides nothing`() throws {
        #expect(
            try Self.verdicts([4020, 402], [3980, 430]) == [
                "video: between 1.3 points worse and 2.9 points better than plain; not decided"
            ]
        )
    }

    @Test func `an interval on one side of 0 says better or worse, and by how much`() throws {
        #expect(
            try Self.verdicts([10_000, 1000], [10_000, 1500]) == ["video: between 3.5 and 6.5 points better than plain"]
        )
        #expect(
            try Self.verdicts([10_000, 1500], [10_000, 1000]) == ["video: between 3.5 and 6.5 points worse than plain"]
        )
    }

    @Test func `shares that were not meant come first, and instead of every verdict`() throws {
        #expect(
            try Self.verdicts([6100, 402], [3900, 430]) == [
                "the shares of plain : video are 61 : 39 where 50 : 50 was meant: fix the assignment first"
            ]
        )
    }

    @Test func `a mismatch that whole percents would hide is said with decimals`() throws {
        let sentence = try #require(try Self.verdicts([502_600, 1], [497_400, 1]).first)
        #expect(sentence.contains("are 50.26 : 49.74 where 50.00 : 50.00 was meant"))
    }

    @Test func `few actors in a variant or in the control are too few to tell`() throws {
        #expect(try Self.verdicts([31, 3], [29, 5]) == ["video: fewer than 30 in video, too few to tell"])
        #expect(try Self.verdicts([29, 3], [31, 5]) == ["video: fewer than 30 in plain, too few to tell"])
    }

    @Test func `no settled day gives no verdict, but when there will be one`() throws {
        let result = try ExampleQuestions.report().funnels[1]
        let experiment = try #require(result.funnel.experiment)
        let none = ExperimentResult(experiment, of: result.funnel, days: nil, actors: 0, variantActors: 0, [])
        #expect(
            ExperimentWords.verdicts(none, of: result.funnel) == [
                "no day is settled yet: wait until 1h after the end of the first day"
            ]
        )
        #expect(ExperimentWords.days(none) == nil)
    }

    @Test func `a variant alone is compared with nothing`() throws {
        let result = try ExampleQuestions.report().funnels[1]
        let experiment = Experiment(control: "plain")
        let alone = ExperimentResult(
            experiment,
            of: result.funnel,
            days: Day("2026-11-15").map { (from: nil, to: $0) },
            actors: 50,
            variantActors: 50,
            [ExperimentResult.Tally(value: "plain", counts: [50, 5])]
        )
        #expect(
            ExperimentWords.verdicts(alone, of: result.funnel) == ["there is no variant to compare with plain yet"]
        )
        #expect(ExperimentWords.days(alone) == "settled days up to 2026-11-15")
    }

    @Test func `actors under several variants are named in their noun`() throws {
        var result = try ExampleQuestions.report().funnels[1]
        func words(_ count: Int) throws -> String? {
            result.experiment?.crossed = count
            return ExperimentWords.crossed(try #require(result.experiment), of: result.funnel)
        }
        #expect(try words(0) == nil)
        #expect(try words(1) == "1 install was under more than one variant and counts in each")
        #expect(try words(3) == "3 installs were under more than one variant and count in each")
    }
}
