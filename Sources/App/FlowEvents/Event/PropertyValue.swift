/// A value that an event's properties may hold and a funnel may compare with.
///
/// Values are compared by type and value and never converted: strings by their UTF-8 bytes, numbers as doubles,
/// so that `1` is `1.0` and `"1"` is not `1`.
public enum PropertyValue: Sendable, Hashable {
    /// Text, compared by its UTF-8 bytes.
    case string(String)
    /// A number, compared as a double.
    case number(Double)
    /// A truth value.
    case bool(Bool)

    // String's own == folds canonically equivalent text together; the contract compares bytes.
    /// Whether both are of one type and equal: strings byte for byte.
    public static func == (lhs: PropertyValue, rhs: PropertyValue) -> Bool {
        switch (lhs, rhs) {
        case (.string(let lhs), .string(let rhs)): lhs.utf8.elementsEqual(rhs.utf8)
        case (.number(let lhs), .number(let rhs)): lhs == rhs
        case (.bool(let lhs), .bool(let rhs)): lhs == rhs
        default: false
        }
    }

    /// Hashes what `==` compares.
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
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a number value.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// Creates a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
