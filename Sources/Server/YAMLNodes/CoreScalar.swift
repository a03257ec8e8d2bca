/// What a plain (unquoted) scalar means by the core schema of YAML 1.2.
///
/// Yams resolves by rules of YAML 1.1, where `on` and `no` are truth values and `1:30` is a number; the contract asks
/// for the core schema: [YAML 1.2.2, section 10.3](https://yaml.org/spec/1.2.2/#103-core-schema).
package enum CoreScalar: Sendable, Hashable {
    /// `null`, `Null`, `NULL`, `~`, or nothing at all.
    case null
    /// `true`, `True`, `TRUE`, `false`, `False`, `FALSE`.
    case bool(Bool)
    /// An integer or a floating-point number as a double; infinite where it is too large for one.
    case number(Double)
    /// All the rest.
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
        // Swift reads more than the schema has, such as `inf` and `0x1p3`: the form is checked first.
        return isDecimal(bytes[...]) ? Double(text) : nil
    }

    // Wider than 64 bits is treated as too large for a double: nobody writes such a number in hexadecimal.
    private static func whole(_ digits: ArraySlice<UInt8>, radix: Int) -> Double? {
        let isDigits = digits.allSatisfy { Character(UnicodeScalar($0)).hexDigitValue.map { $0 < radix } ?? false }
        guard isDigits, !digits.isEmpty else { return nil }
        // Not `map(Double.init)`: that would be `Double(bitPattern:)`.
        return UInt64(String(decoding: digits, as: UTF8.self), radix: radix).map { Double($0) } ?? .infinity
    }

    // [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?, of which the integers are a part.
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
