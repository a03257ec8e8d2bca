import Foundation
import Testing

@testable import Funnels

@Suite struct ChiSquareTests {
    /// The degrees of freedom, the statistic, and the probability, worked out with 40 digits.
    private static let known: [(Int, Double, Double)] = [
        (1, 0.001, 0.97477287936996),
        (1, 3.84, 0.0500435212487051),
        (1, 50, 1.53745979442803e-12),
        (1, 1300, 1.13037284414927e-284),
        (2, 1, 0.606530659712633),
        (2, 20, 4.53999297624849e-5),
        (3, 7.81, 0.0501060563500059),
        (4, 0.2, 0.995321159839556),
        (9, 16.9, 0.0503051901243109),
        (19, 30.1, 0.0505394977498441),
        (19, 300, 2.00052324429477e-52),
        (99, 100, 0.452958511320931),
    ]

    @Test(arguments: known)
    func `the incomplete gamma function is right to ten digits, however small`(
        freedom: Int,
        statistic: Double,
        p: Double
    ) {
        #expect(abs(ChiSquare.upperGamma(Double(freedom) / 2, statistic / 2) / p - 1) < 1e-10)
    }

    @Test func `the function is the integral that it is named for`() {
        for (a, x) in [(0.5, 0.3), (0.5, 4), (1, 2), (2.5, 1), (7, 12)] as [(Double, Double)] {
            // t = x + u/(1 − u) maps the rest of the axis to 0 to 1; Simpson's rule.
            let steps = 200_000
            let sum = (0...steps).reduce(0.0) { sum, step in
                let u = Double(step) / Double(steps)
                guard u < 1 else { return sum }
                let t = x + u / (1 - u)
                let value = pow(t, a - 1) * exp(-t) / ((1 - u) * (1 - u))
                return sum + value * (step == 0 ? 1 : step.isMultiple(of: 2) ? 2 : 4)
            }
            let integral = sum / Double(steps) / 3 / tgamma(a)
            #expect(abs(ChiSquare.upperGamma(a, x) - integral) < 1e-8, "\(a), \(x)")
        }
    }

    @Test(
        arguments: [
            ([6100, 3900], [1, 1], 2.87978487029016e-107), ([4020, 3980], [1, 1], 0.654720846018577),
            ([100, 210, 290], [1, 2, 3], 0.659240630200444), ([0, 10], [1, 1], 0.00156540225800255),
            ([50, 50], [0.5, 0.5], 1),
        ] as [([Int], [Double], Double)]
    )
    func `counts far from their shares are improbable`(counts: [Int], weights: [Double], p: Double) throws {
        let groups = zip(counts, weights).map { (count: $0, weight: $1) }
        #expect(abs(try #require(ChiSquare.p(groups)) / p - 1) < 1e-10)
    }

    @Test func `one group, or none with actors, has no probability`() {
        #expect(ChiSquare.p([(count: 5, weight: 1)]) == nil)
        #expect(ChiSquare.p([(count: 0, weight: 1), (count: 0, weight: 1)]) == nil)
    }
}
