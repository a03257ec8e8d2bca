/// A 95 % confidence interval of a ratio, or of the difference of two ratios.
public struct ScoreInterval: Sendable, Hashable {
    /// The lower bound, rounded half up to four decimals.
    public var low: Ratio
    /// The upper bound, rounded half up to four decimals.
    public var high: Ratio

    /// Creates an interval from its bounds.
    public init(low: Ratio, high: Ratio) {
        self.low = low
        self.high = high
    }

    /// The least number of actors for an interval. With fewer, an interval says too little.
    public static let leastCount = 30

    /// Creates the interval of `count / total`; `nil` where the total is below ``leastCount``.
    ///
    /// It is Wilson's score interval. It takes actors as independent of each other. Sessions and presentations of one
    /// install are not, so for them it is too narrow.
    ///
    /// - Parameters:
    ///   - count: how many of the actors reached the step.
    ///   - total: the number of actors.
    public init?(_ count: Int, of total: Int) {
        guard total >= Self.leastCount else { return nil }
        self.init(ProportionBounds.wilson(count, of: total))
    }

    /// Creates the interval of the difference of two ratios of independent groups, `new − old`; `nil` where a total is
    /// below ``leastCount``.
    ///
    /// It is Newcombe's hybrid score interval.
    public init?(_ new: Int, of newTotal: Int, minus old: Int, of oldTotal: Int) {
        guard newTotal >= Self.leastCount, oldTotal >= Self.leastCount else { return nil }
        self.init(ProportionBounds.newcombe(new, of: newTotal, minus: old, of: oldTotal))
    }

    init(_ bounds: ProportionBounds) {
        low = Ratio(rounding: bounds.low)
        high = Ratio(rounding: bounds.high)
    }
}

/// The bounds of a 95 % confidence interval, not rounded.
struct ProportionBounds: Sendable, Hashable {
    var low: Double
    var high: Double

    private static let z = NormalQuantile.of95Percent

    /// Wilson's score interval without continuity correction: method 3 of R. G. Newcombe, "Two-sided confidence intervals
    /// for the single proportion: comparison of seven methods", Statistics in Medicine 17 (1998), 857–872.
    static func wilson(_ count: Int, of total: Int) -> ProportionBounds {
        let (n, p) = (Double(total), Double(count) / Double(total))
        let center = 2 * n * p + z * z
        let spread = z * (z * z + 4 * n * p * (1 - p)).squareRoot()
        let scale = 2 * (n + z * z)
        return ProportionBounds(low: max(0, (center - spread) / scale), high: min(1, (center + spread) / scale))
    }

    /// The hybrid score interval of a difference: method 10 of R. G. Newcombe, "Interval estimation for the difference
    /// between independent proportions: comparison of eleven methods", Statistics in Medicine 17 (1998), 873–890.
    static func newcombe(_ new: Int, of newTotal: Int, minus old: Int, of oldTotal: Int) -> ProportionBounds {
        let (p1, p2) = (Double(new) / Double(newTotal), Double(old) / Double(oldTotal))
        let (first, second) = (wilson(new, of: newTotal), wilson(old, of: oldTotal))
        func root(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
        return ProportionBounds(
            low: max(-1, p1 - p2 - root(p1 - first.low, second.high - p2)),
            high: min(1, p1 - p2 + root(first.high - p1, p2 - second.low))
        )
    }
}
