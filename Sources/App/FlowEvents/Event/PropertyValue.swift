/// The value of one of an event's properties.
///
/// ```swift
/// let properties: [String: PropertyValue] = ["platform": "ios", "results": 12, "is_trial": true]
/// ```
///
/// Two values are equal if they have the same type and the same value: strings by their UTF-8 bytes, numbers
/// exactly. So `1` equals `1.0`, and `"1"` does not equal `1`.
public enum PropertyValue: Sendable, Hashable {
    /// Text, compared by its UTF-8 bytes.
    case string(String)
    /// A number; integers are exact.
    case number(PropertyNumber)
    /// A boolean.
    case bool(Bool)

    /// Creates a number value from a double.
    public static func number(_ value: Double) -> PropertyValue { .number(PropertyNumber(value)) }

    /// Creates a number value from an integer, exactly.
    public static func number(_ value: some BinaryInteger) -> PropertyValue { .number(PropertyNumber(value)) }

    // `String` treats canonically equivalent texts as equal; the event format compares bytes.
    /// Whether type and value are equal; strings by their bytes.
    public static func == (lhs: PropertyValue, rhs: PropertyValue) -> Bool {
        switch (lhs, rhs) {
        case (.string(let lhs), .string(let rhs)): lhs.utf8.elementsEqual(rhs.utf8)
        case (.number(let lhs), .number(let rhs)): lhs == rhs
        case (.bool(let lhs), .bool(let rhs)): lhs == rhs
        default: false
        }
    }

    /// Hashes type and value.
    public func hash(into hasher: inout Hasher) {
        switch self {
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
    public init(floatLiteral value: Double) { self = .number(PropertyNumber(value)) }
    /// Creates a number value.
    public init(integerLiteral value: Int) { self = .number(PropertyNumber(value)) }
    /// Creates a boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
