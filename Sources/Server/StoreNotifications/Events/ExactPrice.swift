import FlowEvents
public import Foundation

/// An amount of money in its currency's unit, with every digit that the store has said.
///
/// `Event` holds numbers as doubles. An amount must not become one: a double has no 0.1, and none of the larger amounts with
/// cents.
public struct ExactPrice: Sendable, Hashable, CustomStringConvertible {
    /// The amount as JSON writes a number, without an exponent: `9.99`.
    public let description: String

    /// Creates the amount of an integer in thousandths of the unit, as the App Store writes prices.
    public init(thousandths: Int64) {
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var text = thousandths < 0 ? "-\(whole)" : "\(whole)"
        if rest > 0 {
            var digits = Substring(String(1000 + rest).dropFirst())
            while digits.last == "0" { digits.removeLast() }
            text += "." + digits
        }
        description = text
    }

    /// Creates the amount of a decimal number without its sign: a refund says what was given back.
    ///
    /// `nil` for a number that is none.
    public init?(magnitudeOf decimal: Decimal) {
        guard decimal.isFinite else { return nil }
        description = decimal.magnitude.description
    }
}
