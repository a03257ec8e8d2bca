import Funnels

/// Intervals found by searching for the ratios that the score test does not reject, not by the closed formula.
package enum IntervalOracle {
    /// Wilson's interval of a ratio; `nil` below 30 actors.
    package static func ratio(_ count: Int, of total: Int) -> ScoreInterval? {
        guard total >= 30 else { return nil }
        let bounds = bounds(count, of: total)
        return ScoreInterval(low: ratio(bounds.low), high: ratio(bounds.high))
    }

    /// Newcombe's interval of a difference; `nil` below 30 actors in either group.
    package static func difference(
        _ new: Int,
        of newTotal: Int,
        minus old: Int,
        of oldTotal: Int
    ) -> ScoreInterval? {
        guard newTotal >= 30, oldTotal >= 30 else { return nil }
        let (first, second) = (bounds(new, of: newTotal), bounds(old, of: oldTotal))
        let (p, q) = (Double(new) / Double(newTotal), Double(old) / Double(oldTotal))
        func root(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
        return ScoreInterval(
            low: ratio(p - q - root(p - first.low, second.high - q)),
            high: ratio(p - q + root(first.high - p, q - second.low))
        )
    }

    /// The mean with its interval, by the definition of the variance; `nil` without actors.
    package static func mean(_ values: [Double]) -> ActorMean? {
        guard !values.isEmpty else { return nil }
        let n = Double(values.count)
        let mean = values.reduce(0, +) / n
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1)
        let spread = 1.959963984540054 * (variance / n).squareRoot()
        func rounded(_ value: Double) -> Double { (value * 1_000_000 + 0.5).rounded(.down) / 1_000_000 }
        return ActorMean(
            mean: rounded(mean),
            interval: values.count < 30 ? nil : rounded(mean - spread)...rounded(mean + spread)
        )
    }

    private static func bounds(_ count: Int, of total: Int) -> (low: Double, high: Double) {
        let p = Double(count) / Double(total)
        // The score test rejects a ratio whose distance from p is more than 1.96 of its own standard deviations.
        func isRejected(_ ratio: Double) -> Bool {
            (p - ratio) * (p - ratio) > 3.841458820694124 * ratio * (1 - ratio) / Double(total)
        }
        func search(_ outside: Double) -> Double {
            var (outside, inside) = (outside, p)
            for _ in 0..<200 {
                let middle = (outside + inside) / 2
                if isRejected(middle) { outside = middle } else { inside = middle }
            }
            return inside
        }
        return (search(0), search(1))
    }

    private static func ratio(_ value: Double) -> Ratio {
        Ratio(
            tenThousandths: Int((value * 10_000 + 0.5).rounded(.down)),
            thousandths: Int((value * 1000 + 0.5).rounded(.down))
        )
    }
}

/// The distribution of times by sorting and counting.
package enum TimesOracle {
    package static func all(_ times: [Int64]) -> TimeDistribution {
        let sorted = times.sorted()
        let second: Int64 = 1000
        let (minute, hour, day) = (60 * second, 3600 * second, 86_400 * second)
        let bounds = [
            0, second, 2 * second, 5 * second, 10 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute,
            30 * minute, hour, 2 * hour, 6 * hour, 12 * hour, day, 2 * day, 3 * day, 7 * day, 14 * day, 30 * day,
        ]
        return TimeDistribution(
            percentiles: [10, 25, 50, 75, 90, 95].map { percent in
                sorted.first { time in 100 * sorted.count(where: { $0 <= time }) >= percent * sorted.count }
            },
            histogram: bounds.indices.map { index in
                let end = index + 1 < bounds.count ? bounds[index + 1] : nil
                let count = times.count { $0 >= bounds[index] && $0 < end ?? .max }
                return TimeDistribution.Bucket(from: bounds[index], to: end, count: count)
            }
        )
    }
}
