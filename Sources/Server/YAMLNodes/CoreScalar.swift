import FlowEvents

/// The meaning of a plain (unquoted) scalar in the core schema of YAML 1.2.
///
/// Yams has the rules of YAML 1.1, where `on` and `no` are Booleans and `1:30` is a number. See
/// [YAML 1.2.2, section 10.3](https://yaml.org/spec/1.2.2/#103-core-schema).
package enum CoreScalar: Sendable, Hashable {
    /// `null`, `Null`, `NULL`, `~`, or an empty scalar.
    case null
    /// `true`, `True`, `TRUE`, `false`, `False`, `FALSE`.
    case bool(Bool)
    /// An integer, exactly, or a floating-point number; infinite if it is too large for a double.
    case number(PropertyNumber)
    /// Any other text.
    case string

    /// Resolves a scalar's text.
    package init(_ text: String) {
        switch text {
        case "", "~", "null", "Null", "NULL": self = .null
        case "true", "True", "TRUE": self = .bool(true)
        case "false", "False", "FALSE": self = .bool(false)
        default: self = Self.number(text).map(CoreScalar.number) ?? .string
        }
    }

    private static func number(_ text: String) -> PropertyNumber? {
        switch text {
        case ".nan", ".NaN", ".NAN": return PropertyNumber(Double.nan)
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return PropertyNumber(Double.infinity)
        case "-.inf", "-.Inf", "-.INF": return PropertyNumber(-Double.infinity)
        default: break
        }
        let bytes = Array(text.utf8)
        if text.hasPrefix("0x") { return whole(bytes.dropFirst(2), radix: 16) }
        if text.hasPrefix("0o") { return whole(bytes.dropFirst(2), radix: 8) }
        return PropertyNumber(decimal: text)
    }

    // More than 64 bits count as too large for a double: such numbers do not occur in hexadecimal.
    private static func whole(_ digits: ArraySlice<UInt8>, radix: Int) -> PropertyNumber? {
        let isDigits = digits.allSatisfy { Character(UnicodeScalar($0)).hexDigitValue.map { $0 < radix } ?? false }
        guard isDigits, !digits.isEmpty else { return nil }
        return UInt64(String(decoding: digits, as: UTF8.self), radix: radix).map { PropertyNumber($0) }
            ?? PropertyNumber(Double.infinity)
    }
}
