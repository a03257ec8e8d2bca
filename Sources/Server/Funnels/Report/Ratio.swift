/// A share of a count in another, rounded half up to four decimals and exact until it is shown.
public struct Ratio: Sendable, Hashable {
    /// The share in ten-thousandths: 8583 is 0.8583.
    public let tenThousandths: Int

    /// Creates `numerator / denominator`; `nil` where the denominator is 0.
    ///
    /// - Parameters:
    ///   - numerator: a count, not negative.
    ///   - denominator: a count, not negative.
    public init?(_ numerator: Int, of denominator: Int) {
        guard denominator > 0 else { return nil }
        // Whole numbers, because a double's 0.00005 is not a half.
        tenThousandths = (numerator * 20_000 + denominator) / (denominator * 2)
    }
}

extension Ratio: CustomStringConvertible {
    /// The share as the shortest decimal number with at least one decimal: `1.0`, `0.8583`, `0.449`.
    public var description: String {
        let (whole, fraction) = tenThousandths.quotientAndRemainder(dividingBy: 10_000)
        var digits = String(fraction)
        digits = String(repeating: "0", count: 4 - digits.count) + digits
        while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits)"
    }
}
