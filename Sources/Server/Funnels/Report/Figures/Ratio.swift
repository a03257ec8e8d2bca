/// The ratio of two counts, rounded half up to four decimals.
///
/// ```swift
/// Ratio(103, of: 120)?.description  // "0.8583"
/// ```
public struct Ratio: Sendable, Hashable {
    /// The ratio in ten-thousandths: 8583 is 0.8583.
    public let tenThousandths: Int

    /// Creates `numerator / denominator`; `nil` where the denominator is 0.
    ///
    /// - Parameters:
    ///   - numerator: a count, 0 or more.
    ///   - denominator: a count, 0 or more.
    public init?(_ numerator: Int, of denominator: Int) {
        guard denominator > 0 else { return nil }
        // Integers, because a double cannot represent 0.00005 exactly, and so would not round it as a half.
        tenThousandths = (numerator * 20_000 + denominator) / (denominator * 2)
    }
}

extension Ratio: CustomStringConvertible {
    /// The ratio as the shortest decimal number with at least one decimal: `1.0`, `0.8583`, `0.449`.
    public var description: String {
        let (whole, fraction) = tenThousandths.quotientAndRemainder(dividingBy: 10_000)
        var digits = String(fraction)
        digits = String(repeating: "0", count: 4 - digits.count) + digits
        while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits)"
    }
}
