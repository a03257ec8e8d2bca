import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct ScoreIntervalTests {
    // R. G. Newcombe, "Two-sided confidence intervals for the single proportion: comparison of seven methods",
    // Statistics in Medicine 17 (1998), 857–872, Table I, method 3 (score without continuity correction).
    @Test(arguments: [
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718),
    ])
    func `Wilson's interval is that of Newcombe 1998, Table I`(count: Int, total: Int, low: Double, high: Double) {
        let bounds = ProportionBounds.wilson(count, of: total)
        #expect(abs(bounds.low - low) < 0.00005 && abs(bounds.high - high) < 0.00005)
    }

    // R. G. Newcombe, "Interval estimation for the difference between independent proportions: comparison of eleven
    // methods", Statistics in Medicine 17 (1998), 873–890, Table II, method 10 (hybrid score).
    @Test(
        arguments: [
            (56, 70, 48, 80, 0.0524, 0.3339), (9, 10, 3, 10, 0.1705, 0.8090), (6, 7, 2, 7, 0.0582, 0.8062),
            (5, 56, 0, 29, -0.0381, 0.1926), (0, 10, 0, 20, -0.1611, 0.2775), (0, 10, 0, 10, -0.2775, 0.2775),
            (10, 10, 0, 20, 0.6791, 1.0000), (10, 10, 0, 10, 0.6075, 1.0000),
        ] as [(Int, Int, Int, Int, Double, Double)]
    )
    func `the interval of a difference is that of Newcombe 1998, Table II`(
        new: Int,
        newTotal: Int,
        old: Int,
        oldTotal: Int,
        low: Double,
        high: Double
    ) {
        let bounds = ProportionBounds.newcombe(new, of: newTotal, minus: old, of: oldTotal)
        #expect(abs(bounds.low - low) < 0.00005 && abs(bounds.high - high) < 0.00005)
    }

    @Test func `an interval needs 30 actors in each group`() {
        #expect(ScoreInterval(10, of: 29) == nil)
        #expect(ScoreInterval(24, of: 36)?.low.description == "0.5033")
        #expect(ScoreInterval(24, of: 36)?.high.description == "0.7979")
        #expect(ScoreInterval(0, of: 30)?.low.description == "0.0")
        #expect(ScoreInterval(30, of: 30)?.high.description == "1.0")
        #expect(ScoreInterval(10, of: 30, minus: 10, of: 29) == nil)
        #expect(ScoreInterval(10, of: 29, minus: 10, of: 30) == nil)
        #expect(ScoreInterval(10, of: 30, minus: 10, of: 30) != nil)
    }

    @Test(arguments: [30, 31, 100, 263, 12_345, 1_000_000])
    func `the formulas give what a search for the ratios gives that the score test does not reject`(total: Int) {
        for count in [0, 1, 2, total / 7, total / 2, total - 1, total] {
            #expect(ScoreInterval(count, of: total) == IntervalOracle.ratio(count, of: total))
            for (old, oldTotal) in [(0, 30), (7, 50), (50, 50), (900, 1000)] {
                #expect(
                    ScoreInterval(count, of: total, minus: old, of: oldTotal)
                        == IntervalOracle.difference(count, of: total, minus: old, of: oldTotal)
                )
            }
        }
    }
}
