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
        if let known = conditions.firstIndex(where: { $0.field == field && $0.values == values }) {
            return 1 << UInt64(known)
        }
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
                if let known = comparisons[position].values.firstIndex(where: { $0.value == value }) {
                    comparisons[position].values[known].conditions |= 1 << UInt64(index)
                } else {
                    comparisons[position].values.append((value, 1 << UInt64(index)))
                }
            }
        }
        return comparisons
    }
}
