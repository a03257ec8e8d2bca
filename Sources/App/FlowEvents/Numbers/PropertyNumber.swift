/// A number among an event's properties, or one that a condition names.
///
/// ```swift
/// let price = PropertyNumber(9.99)
/// let account: PropertyNumber = 738_529_527_931_269_425
/// ```
///
/// Integers are exact. Numbers are equal if their values are: `1` equals `1.0`, and 738529527931269425 does not equal
/// 738529527931269426, although the nearest double of both is the same.
public struct PropertyNumber: Sendable, Hashable {
    // Equal numbers have the same form, see `FieldNumber`.
    private enum Form: Sendable, Hashable {
        case integer(Int64)
        case unsigned(UInt64)
        case digits(String)
        case double(Double)
    }

    private let form: Form

    /// Creates a number from a double.
    public init(_ value: Double) {
        self.init(FieldNumber(value))
    }

    /// Creates a number from an integer, exactly.
    public init(_ value: some BinaryInteger) {
        if let value = Int64(exactly: value) {
            form = .integer(value)
        } else {
            var digits = String(value)
            self = digits.withUTF8 { PropertyNumber(FieldNumber(decimal: UnsafeRawBufferPointer($0))) }
        }
    }

    /// Reads a decimal number: digits, before them a sign, behind them a fraction and an exponent. Returns `nil` for any
    /// other text. The number is infinite if no double can hold it.
    public init?(decimal text: String) {
        let hasSign = text.utf8.first == UInt8(ascii: "-") || text.utf8.first == UInt8(ascii: "+")
        let mantissa = text.dropFirst(hasSign ? 1 : 0).prefix { $0 != "e" && $0 != "E" }
        let parts = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let exponent = text[mantissa.endIndex...]
        func isDigits(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } }
        var power = exponent.dropFirst()
        if power.utf8.first == UInt8(ascii: "-") || power.utf8.first == UInt8(ascii: "+") { power = power.dropFirst() }
        guard parts.allSatisfy({ isDigits($0) }), parts.contains(where: { !$0.isEmpty }), isDigits(power),
            exponent.isEmpty || !power.isEmpty
        else { return nil }
        // The grammar of JSON.
        let whole = parts[0].drop { $0 == "0" }
        var json = text.hasPrefix("-") ? "-" : ""
        json += whole.isEmpty ? "0" : whole
        if parts.count == 2, !parts[1].isEmpty { json += ".\(parts[1])" }
        json += exponent
        self = json.withUTF8 { PropertyNumber(FieldNumber(decimal: UnsafeRawBufferPointer($0))) }
    }

    /// Copies a number of an event.
    package init(_ number: FieldNumber) {
        form =
            switch number {
            case .integer(let value): .integer(value)
            case .unsigned(let value): .unsigned(value)
            case .digits(let bytes): .digits(String(decoding: bytes, as: UTF8.self))
            case .double(let value): .double(value)
            }
    }

    /// Calls `body` with the number, whose bytes are valid during the call.
    package func withFieldNumber<R>(_ body: (FieldNumber) -> R) -> R {
        switch form {
        case .integer(let value): return body(.integer(value))
        case .unsigned(let value): return body(.unsigned(value))
        case .digits(var digits): return digits.withUTF8 { body(.digits(UnsafeRawBufferPointer($0))) }
        case .double(let value): return body(.double(value))
        }
    }

    /// A number of bytes that the description does not exceed.
    package var greatestSize: Int {
        // A double has at most 24 bytes, an integer of 64 bits at most 20.
        if case .digits(let digits) = form { digits.utf8.count } else { 24 }
    }

    /// The double nearest to the number.
    public var double: Double { withFieldNumber(\.double) }

    /// The number as an integer of 64 bits; `nil` if it has a fraction or is out of range.
    public var integer: Int64? { withFieldNumber(\.integer) }

    /// Whether a double can hold the number, at least nearly. JSON has no other numbers.
    public var isFinite: Bool { withFieldNumber(\.isFinite) }
}

extension PropertyNumber: Comparable {
    /// Whether `lhs` is less than `rhs`, exactly.
    public static func < (lhs: PropertyNumber, rhs: PropertyNumber) -> Bool {
        lhs.withFieldNumber { left in rhs.withFieldNumber { left < $0 } }
    }
}

extension PropertyNumber: CustomStringConvertible {
    /// The shortest text: `1`, `0.5`, `1e+300`; an integer of 64 bits with all its digits.
    public var description: String { withFieldNumber(\.text) }
}

extension PropertyNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Creates a number from an integer.
    public init(integerLiteral value: Int) { self.init(value) }
    /// Creates a number from a double.
    public init(floatLiteral value: Double) { self.init(value) }
}
