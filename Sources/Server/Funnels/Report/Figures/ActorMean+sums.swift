extension ActorMean {
    /// Creates the mean over actors from sums over those of them that have a value; the others count as 0. `nil` without
    /// actors.
    ///
    /// - Parameters:
    ///   - sums: the sums in the last decimal.
    ///   - count: the number of actors.
    ///   - decimals: the number of decimals of the sums.
    init?(_ sums: SummaryDetails.Value, of count: Int, decimals: Int) {
        guard let moments = Moments(sums, of: count, decimals: decimals) else { return nil }
        let spread = NormalQuantile.of95Percent * moments.standardError
        self.init(
            mean: Self.rounded(moments.mean),
            interval: count < ScoreInterval.leastCount
                ? nil : Self.rounded(moments.mean - spread)...Self.rounded(moments.mean + spread)
        )
    }

    /// Rounds half up to the six decimals of a report.
    static func rounded(_ value: Double) -> Double {
        let scaled = (value * 1_000_000 + 0.5).rounded(.down)
        // Above 2⁵³, a double has no such decimals.
        return scaled.magnitude < 0x1p53 ? scaled / 1_000_000 : value
    }
}

/// The mean of amounts over actors, and its standard error.
struct Moments: Sendable, Hashable {
    /// In units.
    let mean: Double
    /// In units: the root of the sample variance divided by the number of actors; 0 for one actor.
    let standardError: Double

    /// - Returns: `nil` without actors.
    init?(_ sums: SummaryDetails.Value, of count: Int, decimals: Int) {
        guard count > 0 else { return nil }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let n = Double(count)
        mean = Double(sums.sum) / n / scale
        standardError = count < 2 ? 0 : (Self.deviations(sums, count) / n / (n - 1) / n).squareRoot() / scale
    }

    /// The number of actors times the sum of the squared distances from the mean: n·Σx² − (Σx)². In integers, because the
    /// difference of two large doubles would lose its digits.
    private static func deviations(_ sums: SummaryDetails.Value, _ count: Int) -> Double {
        let square = Int128(sums.sum) * Int128(sums.sum)
        let (product, overflow) = Int128(count).multipliedReportingOverflow(by: sums.squares)
        guard !overflow else { return max(0, Double(count) * Double(sums.squares) - Double(square)) }
        return max(0, Double(product - square))
    }
}

/// Quantiles of the normal distribution.
enum NormalQuantile {
    /// The 97.5 % quantile: 95 % lie less than so many standard deviations from the mean.
    static let of95Percent = 1.959963984540054
}
