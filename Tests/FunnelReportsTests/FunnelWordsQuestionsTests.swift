import Testing

@testable import Funnels

@testable import FunnelReports

@Suite struct FunnelWordsQuestionsTests {
    @Test(
        arguments: [
            ((620, 1000), (650, 1000), "with it 62.0% went on, without it 65.0%: too close to tell"),
            ((710, 1000), (650, 1000), "with it 71.0% went on, without it 65.0%: 1.9 to 10.1 points more"),
            ((650, 1000), (710, 1000), "with it 65.0% went on, without it 71.0%: 1.9 to 10.1 points fewer"),
            ((20, 29), (650, 1000), "with it 69.0% went on, without it 65.0%: too few to tell"),
            ((0, 0), (650, 1000), "with it nobody went on, without it 65.0%: too few to tell"),
        ] as [((Int, Int), (Int, Int), String)]
    )
    func `an optional step says how many went on with it and without it, and whether they differ`(
        with: (Int, Int),
        without: (Int, Int),
        words: String
    ) {
        let result = NextStepResult(
            with: Conversion(count: with.0, of: with.1),
            without: Conversion(count: without.0, of: without.1)
        )
        #expect(FunnelWords.sideWay(result) == words)
    }

    @Test func `the first places are shown, and the others counted`() {
        let places = (0..<7).map { NextPlaces.Place(value: "\($0)", count: 10 - $0) }
        let few = FunnelWords.places(NextPlaces(places: Array(places.prefix(5))))
        #expect(few.shown.count == 5 && few.rest == nil)
        let many = FunnelWords.places(NextPlaces(places: places, leftOutCount: 1200))
        #expect(many.shown == Array(places.prefix(5)) && many.rest == "1,202 more")
    }

    @Test(
        arguments: [
            (0, "0.00"), (1234.5, "1,234.50"), (-3, "-3.00"), (0.03125, "0.0313"), (-0.00001, "0.0000"),
            (0.5, "0.50"), (1e18, "1,000,000,000,000,000,000"),
        ] as [(Double, String)]
    )
    func `an amount has two decimals, and four where it is small`(value: Double, text: String) {
        #expect(HumanText.amount(value) == text)
    }

    @Test func `the bounds of amounts have equally many decimals`() {
        #expect(HumanText.amounts(0.01...0.05) == "0.0100 to 0.0500")
        #expect(HumanText.amounts(-0.01...1.5) == "-0.01 to 1.50")
    }

    @Test func `a difference too small for one decimal is not 0`() {
        #expect(HumanText.size(Ratio(tenThousandths: 4, thousandths: 0)) == "0.04")
        #expect(HumanText.size(Ratio(tenThousandths: -4, thousandths: 0)) == "0.04")
        #expect(HumanText.size(Ratio(tenThousandths: 0, thousandths: 0)) == "0.0")
    }
}
