#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Pearson's chi-square test. By hand, because no library in use has the incomplete gamma function.
enum ChiSquare {
    /// The probability of counts at least this far from the expected shares; `nil` for fewer than two groups or without
    /// counts.
    ///
    /// - Parameter groups: of each its count and the weight of its expected share, more than 0.
    static func p(_ groups: [(count: Int, weight: Double)]) -> Double? {
        let (total, weights) = (groups.reduce(0) { $0 + $1.count }, groups.reduce(0) { $0 + $1.weight })
        guard groups.count > 1, total > 0 else { return nil }
        let statistic = groups.reduce(0) { sum, group in
            let expected = Double(total) * group.weight / weights
            let difference = Double(group.count) - expected
            return sum + difference * difference / expected
        }
        return upperGamma(Double(groups.count - 1) / 2, statistic / 2)
    }

    /// The regularized upper incomplete gamma function Q(a, x), a series for small x and a continued fraction for others:
    /// NIST Digital Library of Mathematical Functions, 8.11.4 and 8.9.2.
    ///
    /// - Parameters:
    ///   - a: more than 0.
    ///   - x: 0 or more.
    static func upperGamma(_ a: Double, _ x: Double) -> Double {
        guard x > 0 else { return 1 }
        let factor = exp(a * log(x) - x - lgamma(a))
        if x < a + 1 {
            var (term, sum, n) = (1 / a, 1 / a, a)
            while term > sum * 1e-17 {
                n += 1
                term *= x / n
                sum += term
            }
            return max(0, 1 - factor * sum)
        }
        // Lentz's algorithm.
        let tiny = 1e-300
        var b = x + 1 - a
        var c = 1 / tiny
        var d = 1 / b
        var fraction = d
        for i in 1...10_000 {
            let an = -Double(i) * (Double(i) - a)
            b += 2
            d = an * d + b
            if abs(d) < tiny { d = tiny }
            c = b + an / c
            if abs(c) < tiny { c = tiny }
            d = 1 / d
            let change = d * c
            fraction *= change
            if abs(change - 1) < 1e-15 { break }
        }
        return min(1, factor * fraction)
    }
}
