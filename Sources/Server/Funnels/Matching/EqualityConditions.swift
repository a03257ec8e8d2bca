import FlowEvents

/// The conditions of an event type's steps and exclusions that compare a field with values.
///
/// Many steps compare the same field with the same value. Each condition is a bit here, and each value has the bits of the
/// conditions that accept it. So a field is compared with each value once, for all conditions.
struct EqualityConditions {
    private var conditions: [(field: Int, values: [PropertyValue])] = []
    private static let greatestCount = UInt64.bitWidth

    /// The bit of a condition, which is added if there is no equal one; `nil` where all bits are taken.
    mutating func bit(of values: [PropertyValue], field: Int) -> UInt64? {
        let known = conditions.firstIndex { $0.field == field && $0.values.elementsEqual(values, by: Self.areSame) }
        if let known { return 1 << UInt64(known) }
        guard conditions.count < Self.greatestCount else { return nil }
        conditions.append((field, values))
        return 1 << UInt64(conditions.count - 1)
    }

    /// The different values that each field is compared with, and the conditions that accept each of them.
    var comparisons: [(field: Int, values: [(value: PropertyValue, conditions: UInt64)])] {
        var comparisons: [(field: Int, values: [(value: PropertyValue, conditions: UInt64)])] = []
        for (index, condition) in conditions.enumerated() {
            let position = comparisons.firstIndex { $0.field == condition.field } ?? comparisons.count
            if position == comparisons.count { comparisons.append((condition.field, [])) }
            for value in condition.values {
                let known = comparisons[position].values.firstIndex { Self.areSame($0.value, value) }
                if let known {
                    comparisons[position].values[known].conditions |= 1 << UInt64(index)
                } else {
                    comparisons[position].values.append((value, 1 << UInt64(index)))
                }
            }
        }
        return comparisons
    }

    // Swift's strings can be equal where their bytes are not.
    private static func areSame(_ lhs: PropertyValue, _ rhs: PropertyValue) -> Bool {
        switch (lhs, rhs) {
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.number(let left), .number(let right)): left == right
        case (.bool(let left), .bool(let right)): left == right
        default: false
        }
    }
}
