public import FlowEvents

/// A condition on one field of an event.
///
/// ```swift
/// Condition("properties.price", .atLeast(1))
/// Condition("properties.plan", .isNot("trial", "promo"))
/// ```
///
/// No value is ever converted: the text `"1"` is not the number `1`.
public struct Condition: Sendable, Hashable, Codable {
    /// The field.
    public let field: Field
    /// The test that the field's value must pass.
    public let test: Test

    /// Creates a condition: the value of `field` passes `test`.
    public init(_ field: Field, _ test: Test) {
        self.field = field
        self.test = test
    }

    /// Creates a condition: `field` has one of `values`. With no values, no event meets the condition.
    public init(_ field: Field, in values: [PropertyValue]) {
        self.init(field, .isOneOf(values))
    }

    /// Creates a condition: `field` has the value `value`.
    public init(_ field: Field, is value: PropertyValue) {
        self.init(field, .isOneOf([value]))
    }
}

extension Condition {
    /// A test of one value. An absent value passes only ``isNoneOf(_:)`` and ``exists(_:)`` with `false`. An array or
    /// an object is an absent value.
    public enum Test: Sendable, Hashable, Codable {
        /// The value is one of these.
        case isOneOf([PropertyValue])
        /// The value is none of these, or absent.
        case isNoneOf([PropertyValue])
        /// With `true`, the field has a value; with `false`, it has none.
        case exists(Bool)
        /// The value is a number greater than this.
        case greaterThan(PropertyNumber)
        /// The value is a number greater than or equal to this.
        case atLeast(PropertyNumber)
        /// The value is a number less than this.
        case lessThan(PropertyNumber)
        /// The value is a number less than or equal to this.
        case atMost(PropertyNumber)
        /// The value is a string whose UTF-8 bytes begin with the bytes of this text.
        case hasPrefix(String)
        /// The value is a string whose UTF-8 bytes contain the bytes of this text.
        case contains(String)

        /// The value is one of `values`.
        public static func `is`(_ values: PropertyValue...) -> Test { .isOneOf(values) }

        /// The value is none of `values`, or absent.
        public static func isNot(_ values: PropertyValue...) -> Test { .isNoneOf(values) }

        /// The field has a value.
        public static let isPresent = Test.exists(true)

        /// The field has no value.
        public static let isAbsent = Test.exists(false)

        // `String` treats canonically equivalent texts as equal; a test compares bytes.
        /// Whether the tests are equal; texts by their bytes.
        public static func == (lhs: Test, rhs: Test) -> Bool {
            switch (lhs, rhs) {
            case (.isOneOf(let lhs), .isOneOf(let rhs)), (.isNoneOf(let lhs), .isNoneOf(let rhs)): lhs == rhs
            case (.exists(let lhs), .exists(let rhs)): lhs == rhs
            case (.greaterThan(let lhs), .greaterThan(let rhs)), (.atLeast(let lhs), .atLeast(let rhs)),
                (.lessThan(let lhs), .lessThan(let rhs)), (.atMost(let lhs), .atMost(let rhs)):
                lhs == rhs
            case (.hasPrefix(let lhs), .hasPrefix(let rhs)), (.contains(let lhs), .contains(let rhs)):
                lhs.utf8.elementsEqual(rhs.utf8)
            default: false
            }
        }
    }
}

extension Condition.Test {
    /// The number that a value is compared with; `nil` for the other tests.
    package var bound: PropertyNumber? {
        switch self {
        case .greaterThan(let bound), .atLeast(let bound), .lessThan(let bound), .atMost(let bound): bound
        case .isOneOf, .isNoneOf, .exists, .hasPrefix, .contains: nil
        }
    }
}
