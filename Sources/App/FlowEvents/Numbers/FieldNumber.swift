/// A number of an event, as a server compares it.
///
/// Equal numbers have the same form, so that `==` is a comparison of one word: `1`, `1.0` and `1e0` are all
/// ``integer(_:)``. Integers are exact, because many are ids: as doubles, 738529527931269425 and its neighbors would be one
/// number.
///
/// Create a number from a text or a double, not by its form.
public enum FieldNumber {
    /// An integer from −2⁶³ to 2⁶³ − 1.
    case integer(Int64)
    /// An integer from 2⁶³ to 2⁶⁴ − 1.
    case unsigned(UInt64)
    /// An integer beyond 64 bits that is not the shortest form of a double: its decimal digits, after a `-` if it is
    /// negative. The bytes belong to the ``EventFields``.
    case digits(UnsafeRawBufferPointer)
    /// Any other number: one with a fraction, or a double beyond 64 bits; infinite if no double can hold the number.
    case double(Double)
}

extension FieldNumber {
    /// Creates a number from a double. Negative zero becomes 0.
    // Without `Int64(exactly:)`, which calls libm: see `Double.integer`.
    package init(_ value: Double) {
        if value >= -0x1p63, value < 0x1p63 {
            let whole = Int64(value)
            self = Double(whole) == value ? .integer(whole) : .double(value)
        } else if value >= 0x1p63, value < 0x1p64 {
            // A double of this size has no fraction.
            self = .unsigned(UInt64(value))
        } else {
            self = .double(value)
        }
    }

    /// The double nearest to the number; infinite if it is too large for one.
    package var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .digits(let bytes): Double(String(decoding: bytes, as: UTF8.self)) ?? .nan
        case .double(let value): value
        }
    }

    /// The number as an integer of 64 bits; `nil` if it has a fraction or is out of range.
    package var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// Whether a double can hold the number, at least nearly. A number that is not finite counts as absent.
    @inline(__always)
    package var isFinite: Bool {
        if case .double(let value) = self { value.isFinite } else { true }
    }

    /// The shortest text: `1`, `0.5`, `1e+300`; an integer of 64 bits with all its digits.
    package var text: String {
        switch self {
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .digits(let bytes): String(decoding: bytes, as: UTF8.self)
        case .double(let value): value.description
        }
    }
}

extension FieldNumber: Equatable {
    /// Whether both are the same number. NaN equals nothing.
    @inline(__always)
    public static func == (lhs: FieldNumber, rhs: FieldNumber) -> Bool {
        switch (lhs, rhs) {
        case (.integer(let lhs), .integer(let rhs)): lhs == rhs
        case (.double(let lhs), .double(let rhs)): lhs == rhs
        case (.unsigned(let lhs), .unsigned(let rhs)): lhs == rhs
        case (.digits(let lhs), .digits(let rhs)): lhs.elementsEqual(rhs)
        default: false
        }
    }
}
