/// The meaning of a plain (unquoted) scalar in the core schema of YAML 1.2.
///
/// Yams has the rules of YAML 1.1, where `on` and `no` are Booleans and `1:30` is a number. See
/// [YAML 1.2.2, section 10.3](https://yaml.org/spec/1.2.2/#103-core-schema).
package enum CoreScalar: Sendable, Hashable {
    /// `null`, `Null`, `NULL`, `~`, or an empty scalar.
    case null
    /// `true`, `True`, `TRUE`, `false`, `False`, `FALSE`.
    case bool(Bool)
    /// An integer or a floating-point number; infinite if it is too large for a double.
    case number(Double)
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

    private static func number(_ text: String) -> Double? {
        switch text {
        case ".nan", ".NaN", ".NAN": return .nan
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .infinity
        case "-.inf", "-.Inf", "-.INF": return -.infinity
        default: break
        }
        let bytes = Array(text.utf8)
        if text.hasPrefix("0x") { return whole(bytes.dropFirst(2), radix: 16) }
        if text.hasPrefix("0o") { return whole(bytes.dropFirst(2), radix: 8) }
        // Swift accepts more than the schema, such as `inf` and `0x1p3`, so check the syntax first.
        return isDecimal(bytes[...]) ? Double(text) : nil
    }

    // More than 64 bits count as too large for a double: such numbers do not occur in hexadecimal.
    private static func whole(_ digits: ArraySlice<UInt8>, radix: Int) -> Double? {
        let isDigits = digits.allSatisfy { Character(UnicodeScalar($0)).hexDigitValue.map { $0 < radix } ?? false }
        guard isDigits, !digits.isEmpty else { return nil }
        // Not `map(Double.init)`: that would be `Double(bitPattern:)`.
        return UInt64(String(decoding: digits, as: UTF8.self), radix: radix).map { Double($0) } ?? .infinity
    }

    // [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?. This includes integers.
    private static func isDecimal(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        func skip(_ any: String) -> Bool {
            guard let first = rest.first, any.utf8.contains(first) else { return false }
            rest.removeFirst()
            return true
        }
        func skipDigits() -> Bool {
            let count = rest.count
            rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return rest.count < count
        }
        _ = skip("+-")
        let hasWhole = skipDigits()
        let hasFraction = skip(".") && skipDigits()
        guard hasWhole || hasFraction else { return false }
        if skip("eE") {
            _ = skip("+-")
            guard skipDigits() else { return false }
        }
        return rest.isEmpty
    }
}
