/// The ratio of two counts, or the difference of two ratios, rounded half up to four decimals, and to three.
///
/// ```swift
/// Ratio(103, of: 120)?.description  // "0.8583"
/// ```
public struct Ratio: Sendable, Hashable {
    /// The ratio in ten-thousandths: 8583 is 0.8583.
    public let tenThousandths: Int
    /// The ratio in thousandths, for percentages with one decimal: 858 is 85.8 %.
    ///
    /// It is rounded from the counts. Rounding ``tenThousandths`` again can give another last digit: 0.37449 is 37.4 %, but
    /// 0.3745 would be 37.5 %.
    public let thousandths: Int

    /// Creates `numerator / denominator`; `nil` where the denominator is 0.
    ///
    /// - Parameters:
    ///   - numerator: a count, 0 or more.
    ///   - denominator: a count, 0 or more.
    public init?(_ numerator: Int, of denominator: Int) {
        guard denominator > 0 else { return nil }
        self.init(exactly: numerator, of: denominator)
    }

    /// Creates `new / newTotal − old / oldTotal`, of ratios that are not rounded before; `nil` where a total is 0.
    public init?(_ new: Int, of newTotal: Int, minus old: Int, of oldTotal: Int) {
        guard newTotal > 0, oldTotal > 0 else { return nil }
        let (first, second) = (new.multipliedFullWidth(by: oldTotal), old.multipliedFullWidth(by: newTotal))
        let total = newTotal.multipliedReportingOverflow(by: oldTotal)
        // Up to some 20 million actors in each group, integers are exact. Above, a double is off by less than 1e-14.
        guard first.high == 0, second.high == 0, !total.overflow, total.partialValue < Int.max / 40_000 else {
            self.init(rounding: Double(new) / Double(newTotal) - Double(old) / Double(oldTotal))
            return
        }
        self.init(exactly: Int(bitPattern: first.low) - Int(bitPattern: second.low), of: total.partialValue)
    }

    /// Creates a ratio from its rounded values.
    package init(tenThousandths: Int, thousandths: Int) {
        self.tenThousandths = tenThousandths
        self.thousandths = thousandths
    }

    /// Rounds a number half up.
    package init(rounding value: Double) {
        tenThousandths = Int((value * 10_000 + 0.5).rounded(.down))
        thousandths = Int((value * 1000 + 0.5).rounded(.down))
    }

    // Integers, because a double cannot represent 0.00005 exactly, and so would not round it as a half.
    private init(exactly numerator: Int, of denominator: Int) {
        func rounded(parts: Int) -> Int {
            let (quotient, remainder) = (numerator * 2 * parts + denominator)
                .quotientAndRemainder(dividingBy: denominator * 2)
            return remainder < 0 ? quotient - 1 : quotient
        }
        tenThousandths = rounded(parts: 10_000)
        thousandths = rounded(parts: 1000)
    }
}

extension Ratio: CustomStringConvertible {
    /// The ratio as the shortest decimal number with at least one decimal: `1.0`, `0.8583`, `-0.449`.
    public var description: String {
        let (whole, fraction) = tenThousandths.magnitude.quotientAndRemainder(dividingBy: 10_000)
        var digits = String(fraction)
        digits = String(repeating: "0", count: 4 - digits.count) + digits
        while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
        return "\(tenThousandths < 0 ? "-" : "")\(whole).\(digits)"
    }
}
