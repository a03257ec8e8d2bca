import FlowEvents
import Funnels

extension Condition.Test {
    /// Rule 11, for the value of a field; `nil` for an absent value, an array and an object.
    package func holds(for value: PropertyValue?) -> Bool {
        switch self {
        case .isOneOf(let values): values.contains { $0 == value }
        case .isNoneOf(let values): !values.contains { $0 == value }
        case .exists(let isExpected): (value != nil) == isExpected
        case .greaterThan(let bound): Self.number(value).map { $0 > bound } ?? false
        case .atLeast(let bound): Self.number(value).map { $0 >= bound } ?? false
        case .lessThan(let bound): Self.number(value).map { $0 < bound } ?? false
        case .atMost(let bound): Self.number(value).map { $0 <= bound } ?? false
        case .hasPrefix(let text): Self.bytes(value).map { $0.starts(with: text.utf8) } ?? false
        case .contains(let text):
            Self.bytes(value).map { bytes in
                bytes.indices.contains { bytes[$0...].starts(with: text.utf8) } || text.isEmpty
            } ?? false
        }
    }

    private static func number(_ value: PropertyValue?) -> PropertyNumber? {
        value?.exactNumber
    }

    private static func bytes(_ value: PropertyValue?) -> [UInt8]? {
        if case .string(let text) = value { Array(text.utf8) } else { nil }
    }
}
