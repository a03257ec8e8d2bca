/// The value of one of an event's properties.
///
/// ```swift
/// let properties: [String: PropertyValue] = ["platform": "ios", "results": 12, "is_trial": true]
/// ```
///
/// Two values are equal if they have the same type and the same value: strings by their UTF-8 bytes, numbers
/// exactly. So `1` equals `1.0`, and `"1"` does not equal `1`.
///
/// Numbers are exact. One that a double holds is a ``number(_:)-enum.case``, also if it is whole. An integer of 64 bits
/// with more digits is an ``integer(_:)``, and any other number that an event can have is a ``decimal(_:)``.
public enum PropertyValue: Sendable, Hashable {
    /// Text, compared by its UTF-8 bytes.
    case string(String)
    /// A number that a double holds exactly, or that was a double.
    case number(Double)
    /// An integer of 64 bits.
    case integer(Int64)
    /// A number with more digits than the others have, as it is written.
    case decimal(PropertyNumber)
    /// A boolean.
    case bool(Bool)

    /// Creates a number value from an integer, exactly.
    public static func number(_ value: some BinaryInteger) -> PropertyValue { .number(PropertyNumber(value)) }

    /// Creates a number value, exactly.
    public static func number(_ value: PropertyNumber) -> PropertyValue {
        value.withFieldNumber { number in
            switch number {
            case .double(let double): .number(double)
            case .integer(let integer):
                Double(exactly: integer).map(PropertyValue.number) ?? .integer(integer)
            case .unsigned, .digits: .decimal(value)
            }
        }
    }

    /// What kind of value it is, with all numbers as one kind.
    package enum Kind: Sendable {
        case string(String)
        case number(PropertyNumber)
        case bool(Bool)
    }

    /// What kind of value it is, with all numbers as one kind.
    package var kind: Kind {
        switch self {
        case .string(let text): .string(text)
        case .number(let double): .number(PropertyNumber(double))
        case .integer(let integer): .number(PropertyNumber(integer))
        case .decimal(let number): .number(number)
        case .bool(let bool): .bool(bool)
        }
    }

    /// The number, however it is held; `nil` for a text or a boolean.
    public var exactNumber: PropertyNumber? {
        if case .number(let number) = kind { number } else { nil }
    }

    // `String` treats canonically equivalent texts as equal; the event format compares bytes.
    /// Whether type and value are equal; strings by their bytes.
    public static func == (lhs: PropertyValue, rhs: PropertyValue) -> Bool {
        switch (lhs.kind, rhs.kind) {
        case (.string(let lhs), .string(let rhs)): lhs.utf8.elementsEqual(rhs.utf8)
        case (.number(let lhs), .number(let rhs)): lhs == rhs
        case (.bool(let lhs), .bool(let rhs)): lhs == rhs
        default: false
        }
    }

    /// Hashes type and value.
    public func hash(into hasher: inout Hasher) {
        switch kind {
        case .string(let value):
            hasher.combine(0)
            for byte in value.utf8 { hasher.combine(byte) }
        case .number(let value):
            hasher.combine(1)
            hasher.combine(value)
        case .bool(let value):
            hasher.combine(2)
            hasher.combine(value)
        }
    }
}

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    /// Creates a string value.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a number value.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a number value.
    public init(integerLiteral value: Int) { self = .number(PropertyNumber(value)) }
    /// Creates a boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
