import FlowEventTestSupport
import Testing

@testable import Funnels

@Suite struct ActorMeanTests {
    private static func mean(_ amounts: [Int64], of count: Int, decimals: Int) -> ActorMean? {
        let sums = SummaryDetails.Value(
            count: Int64(amounts.count),
            sum: amounts.reduce(0, +),
            squares: amounts.reduce(0) { $0 + Int128($1) * Int128($1) }
        )
        return ActorMean(sums, of: count, decimals: decimals)
    }

    /// Worked out with 40 digits.
    @Test(
        arguments: [
            (Array(repeating: 499, count: 402), 4020, 2, [0.499, 0.452718, 0.545282]),
            ([1, 2, 3, 4], 50, 0, [0.2, -0.009529, 0.409529]),
            ([-500, 500, 1999], 33, 2, [0.605758, -0.655781, 1.867297]),
        ] as [([Int64], Int, Int, [Double])]
    )
    func `the mean is over all actors, and its interval is that of the sample variance`(
        amounts: [Int64],
        count: Int,
        decimals: Int,
        expected: [Double]
    ) throws {
        let mean = try #require(Self.mean(amounts, of: count, decimals: decimals))
        #expect(mean.mean == expected[0])
        #expect(mean.interval?.lowerBound == expected[1] && mean.interval?.upperBound == expected[2])
    }

    @Test func `large amounts that hardly differ keep the digits of their variance`() throws {
        let base: Int64 = 1 << 39
        let amounts = (0..<40).map { base + Int64($0 % 2) }
        let mean = try #require(Self.mean(amounts, of: 40, decimals: 0))
        // The variance is 10/39. In doubles, the difference of the squares would be noise.
        let spread = 1.959963984540054 * (10.0 / 39 / 40).squareRoot()
        let interval = try #require(mean.interval)
        #expect(abs(interval.upperBound - interval.lowerBound - 2 * spread) < 1e-3)
    }

    @Test func `few actors have a mean and no interval, and none has neither`() {
        #expect(Self.mean([499], of: 29, decimals: 2)?.interval == nil)
        #expect(Self.mean([499], of: 29, decimals: 2)?.mean == 0.172069)
        #expect(Self.mean([499], of: 30, decimals: 2)?.interval != nil)
        #expect(Self.mean([], of: 0, decimals: 2) == nil)
    }

    @Test func `the moments are those of the amounts one by one`() throws {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<100 {
            let count = Int.random(in: 30...400, using: &generator)
            let amounts = (0..<Int.random(in: 0...count, using: &generator)).map { _ in
                Int64.random(in: -100_000...100_000, using: &generator)
            }
            let all = amounts.map(Double.init) + Array(repeating: 0, count: count - amounts.count)
            let average = all.reduce(0, +) / Double(count)
            let variance = all.reduce(0) { $0 + ($1 - average) * ($1 - average) } / Double(count - 1)
            let spread = 1.959963984540054 * (variance / Double(count)).squareRoot()
            let mean = try #require(Self.mean(amounts, of: count, decimals: 0))
            let interval = try #require(mean.interval)
            #expect(abs(mean.mean - average) < 1e-5)
            #expect(abs(interval.upperBound - average - spread) < 1e-5)
            #expect(abs(average - interval.lowerBound - spread) < 1e-5)
        }
    }
}
