import Testing

@testable import Funnels

@Suite struct RatioTests {
    @Test(arguments: [
        (1, 1, "1.0"), (24, 36, "0.6667"), (22, 49, "0.449"), (0, 7, "0.0"), (1, 20_000, "0.0001"), (1, 20_001, "0.0"),
        (1, 2, "0.5"), (3, 80_000, "0.0"), (1_234_567, 1_234_568, "1.0"),
    ])
    func `a ratio is rounded half up to four decimals`(numerator: Int, denominator: Int, text: String) {
        #expect(Ratio(numerator, of: denominator)?.description == text)
    }

    @Test func `a percentage is rounded from the counts, not from four decimals`() {
        // 0.54572 points; with four decimals 0.0055, which would be 0.6.
        #expect(Ratio(295, of: 778, minus: 219, of: 586)?.thousandths == 5)
        #expect(Ratio(219, of: 586, minus: 295, of: 778)?.thousandths == -5)
        // The halves are rounded up, as with four decimals.
        #expect(Ratio(1, of: 2000)?.thousandths == 1)
        #expect(Ratio(0, of: 1, minus: 1, of: 2000)?.thousandths == 0)
        // 0.408489 and 0.68948: with four decimals 0.4085 and 0.6895.
        #expect(ScoreInterval(232, of: 627)?.high.thousandths == 408)
        #expect(ScoreInterval(455, of: 627)?.low.thousandths == 689)
    }

    @Test func `a ratio to nothing is no ratio`() {
        #expect(Ratio(0, of: 0) == nil)
    }

    @Test(
        arguments: [
            (1, 2, 1, 4, "0.25"), (1, 4, 1, 2, "-0.25"), (547, 4061, 500, 3900, "0.0065"), (1, 3, 1, 3, "0.0"),
            // Halves are rounded up: 0.00005 and -0.00005, 0.00015 and -0.00015.
            (1, 20_000, 0, 1, "0.0001"), (0, 1, 1, 20_000, "0.0"), (3, 20_000, 0, 1, "0.0002"),
            (0, 1, 3, 20_000, "-0.0001"), (0, 1, 1, 1, "-1.0"), (1, 1, 0, 1, "1.0"),
            (3_000_000_000, 4_000_000_000, 1_000_000_000, 4_000_000_000, "0.5"),
        ] as [(Int, Int, Int, Int, String)]
    )
    func `a difference is that of ratios which are not rounded before`(
        new: Int,
        newTotal: Int,
        old: Int,
        oldTotal: Int,
        text: String
    ) {
        #expect(Ratio(new, of: newTotal, minus: old, of: oldTotal)?.description == text)
    }

    @Test func `a difference to nothing is no difference`() {
        #expect(Ratio(0, of: 0, minus: 1, of: 2) == nil && Ratio(1, of: 2, minus: 0, of: 0) == nil)
    }
}
