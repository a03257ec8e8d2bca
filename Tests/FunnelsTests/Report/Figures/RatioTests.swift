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

    @Test func `a ratio to nothing is no ratio`() {
        #expect(Ratio(0, of: 0) == nil)
    }
}
