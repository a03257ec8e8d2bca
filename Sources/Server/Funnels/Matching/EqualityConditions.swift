import FlowEvents

/// The conditions of an event type's steps and exclusions that compare a field with values.
///
/// Funnels compare the same few fields with the same few values over and over. Each of the conditions is a bit, and each
/// value has the bits of the conditions that accept it: so a field's value is compared once for all of them.
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
    var values: [(field: Int, values: [(value: PropertyValue, conditions: UInt64)])] {
        var fields: [(field: Int, values: [(value: PropertyValue, conditions: UInt64)])] = []
        for (index, condition) in conditions.enumerated() {
            let position = fields.firstIndex { $0.field == condition.field } ?? fields.count
            if position == fields.count { fields.append((condition.field, [])) }
            for value in condition.values {
                let known = fields[position].values.firstIndex { Self.areSame($0.value, value) }
                if let known {
                    fields[position].values[known].conditions |= 1 << UInt64(index)
                } else {
                    fields[position].values.append((value, 1 << UInt64(index)))
                }
            }
        }
        return fields
    }

    // Two strings are equal in Swift also where their bytes are not.
    private static func areSame(_ lhs: PropertyValue, _ rhs: PropertyValue) -> Bool {
        switch (lhs, rhs) {
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.number(let left), .number(let right)): left == right
        case (.bool(let left), .bool(let right)): left == right
        default: false
        }
    }
}
