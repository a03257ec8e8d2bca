import FlowEventTestSupport
import Foundation
import Testing

@testable import Funnels

/// The comparison of a variant with its control. The expected figures were worked out from the formulas with 40 digits.
@Suite struct LiftTests {
    struct Case: Sendable {
        /// The count and the actors of the variant, then those of the control.
        let counts: [Int]
        let relative: Double?
        let bounds: (low: Double, high: Double)?
        let p: Double
        let sequential: (low: Double, high: Double)

        init(
            _ counts: [Int],
            relative: Double?,
            bounds: (Double, Double)?,
            p: Double,
            sequential: (Double, Double)
        ) {
            self.counts = counts
            self.relative = relative
            self.bounds = bounds.map { (low: $0.0, high: $0.1) }
            self.p = p
            self.sequential = (low: sequential.0, high: sequential.1)
        }

        static let all = [
            Case(
                [430, 3980, 402, 4020],
                relative: 0.0804020100503,
                bounds: (-0.0500883692718, 0.228817992707),
                p: 0.238839309359,
                sequential: (-0.0127628777248, 0.0288432797348)
            ),
            Case(
                [1500, 10000, 1000, 10000],
                relative: 0.5,
                bounds: (0.391530474411, 0.616924703681),
                p: 1.12822630287e-26,
                sequential: (0.0354161105198, 0.0645838894802)
            ),
            Case(
                [3, 31, 5, 40],
                relative: -0.225806451613,
                bounds: (-0.799766961493, 1.99339037571),
                p: 0.709108633124,
                sequential: (-0.606514537674, 0.550062924771)
            ),
            Case(
                [0, 50, 4, 60],
                relative: -1.0,
                bounds: nil,
                p: 0.0629038035129,
                sequential: (-0.273846152119, 0.140512818786)
            ),
            Case(
                [4, 60, 0, 50],
                relative: nil,
                bounds: nil,
                p: 0.0629038035129,
                sequential: (-0.140512818786, 0.273846152119)
            ),
            Case(
                [50, 50, 50, 50],
                relative: 0.0,
                bounds: (0.0, 0.0),
                p: 1.0,
                sequential: (0.0, 0.0)
            ),
            Case(
                [0, 40, 0, 44],
                relative: nil,
                bounds: nil,
                p: 1.0,
                sequential: (0.0, 0.0)
            ),
            Case(
                [999999, 2000000, 1000100, 2000000],
                relative: -0.00010098990101,
                bounds: (-0.00205873985656, 0.00186060074642),
                p: 0.919550460079,
                sequential: (-0.00197078548703, 0.00186978548703)
            ),
            Case(
                [30, 30, 1, 30],
                relative: 29.0,
                bounds: (3.36743689646, 205.070521758),
                p: 6.7867527489e-14,
                sequential: (0.69256384175, 1.24076949158)
            ),
            Case(
                [7, 1000, 70, 10000],
                relative: 0.0,
                bounds: (-0.538941375339, 1.16892157854),
                p: 1.0,
                sequential: (-0.00848556705318, 0.00848556705318)
            ),
        ]
    }

    private static func isNear(_ found: Double?, _ expected: Double?) -> Bool {
        guard let found, let expected else { return found == nil && expected == nil }
        return abs(found - expected) <= 1e-9 * max(1, abs(expected))
    }

    @Test(arguments: Case.all)
    func `relative lift, p and the sequential interval are those of the formulas`(expected: Case) throws {
        let counts = expected.counts
        let rates = try #require(RatePair(counts[0], of: counts[1], control: counts[2], of: counts[3]))
        #expect(Self.isNear(rates.relative, expected.relative))
        #expect(Self.isNear(rates.relativeBounds?.low, expected.bounds?.low))
        #expect(Self.isNear(rates.relativeBounds?.high, expected.bounds?.high))
        // p can be tiny, so it is compared by its digits.
        #expect(abs(rates.pooledP / expected.p - 1) < 1e-9)
        #expect(Self.isNear(rates.sequentialBounds.low, expected.sequential.low))
        #expect(Self.isNear(rates.sequentialBounds.high, expected.sequential.high))
    }

    @Test func `a lift has the interval of a comparison, and is rounded`() {
        let lift = ExperimentResult.Lift(430, of: 3980, control: 402, of: 4020)
        #expect(lift.difference?.description == "0.008" && lift.relative?.description == "0.0804")
        #expect(lift.differenceInterval == ScoreInterval(430, of: 3980, minus: 402, of: 4020))
        let bounds = [lift.sequentialInterval?.low, lift.sequentialInterval?.high].map { $0?.description }
        #expect(bounds == ["-0.0128", "0.0288"])
    }

    @Test(arguments: [[29, 40], [40, 29]])
    func `with few actors there is a lift, and neither an interval nor a p`(totals: [Int]) {
        let lift = ExperimentResult.Lift(10, of: totals[0], control: 10, of: totals[1])
        #expect(lift.difference != nil && lift.relative != nil)
        #expect(lift.differenceInterval == nil && lift.relativeInterval == nil)
        #expect(lift.sequentialInterval == nil && lift.p == nil)
    }

    @Test func `without actors there is nothing`() {
        let nothing = ExperimentResult.Lift(
            difference: nil,
            differenceInterval: nil,
            relative: nil,
            relativeInterval: nil,
            p: nil,
            sequentialInterval: nil
        )
        #expect(ExperimentResult.Lift(0, of: 0, control: 5, of: 50) == nothing)
        #expect(ExperimentResult.Lift(5, of: 50, control: 0, of: 0) == nothing)
    }

    /// Experiments between equal variants, looked at 50 times each. The interval of one look is wrong in some third of them at
    /// some look; the sequential interval in about one of 20 at most.
    @Test func `looking each day is allowed with the sequential interval, and not with that of one look`() throws {
        var generator = SeededGenerator(seed: 7)
        let (experiments, looks, size) = (400, 50, 200)
        var wrong = (sequential: 0, single: 0)
        for _ in 0..<experiments {
            var counts = [0, 0]
            var (isWrongSequential, isWrongSingle) = (false, false)
            for look in 1...looks {
                for variant in 0...1 {
                    for _ in 0..<size where Double.random(in: 0..<1, using: &generator) < 0.1 { counts[variant] += 1 }
                }
                let total = look * size
                let rates = try #require(RatePair(counts[0], of: total, control: counts[1], of: total))
                let bounds = rates.sequentialBounds
                isWrongSequential = isWrongSequential || bounds.low > 0 || bounds.high < 0
                let single = ProportionBounds.newcombe(counts[0], of: total, minus: counts[1], of: total)
                isWrongSingle = isWrongSingle || single.low > 0 || single.high < 0
            }
            wrong.sequential += isWrongSequential ? 1 : 0
            wrong.single += isWrongSingle ? 1 : 0
        }
        #expect(wrong.sequential <= experiments / 16, "\(wrong)")
        #expect(wrong.single > experiments / 5, "\(wrong)")
    }

    @Test func `the other way around, a lift has the other sign`() throws {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<200 {
            let totals = [Int.random(in: 30...5000, using: &generator), Int.random(in: 30...5000, using: &generator)]
            let counts = totals.map { Int.random(in: 0...$0, using: &generator) }
            let one = try #require(RatePair(counts[0], of: totals[0], control: counts[1], of: totals[1]))
            let other = try #require(RatePair(counts[1], of: totals[1], control: counts[0], of: totals[0]))
            #expect(Self.isNear(one.pooledP, other.pooledP))
            #expect(Self.isNear(one.sequentialBounds.low, -other.sequentialBounds.high))
            #expect(one.sequentialBounds.low <= one.sequentialBounds.high)
        }
    }
}
