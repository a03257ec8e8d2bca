import FlowEvents

extension EventFields {
    /// The fields of a reader before its first event.
    // Computed, because a stored static property must be Sendable, and pointers are not.
    static var empty: EventFields {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        return EventFields(
            id: none,
            source: none,
            type: none,
            time: Timestamp(milliseconds: 0),
            installID: none,
            sessionID: nil,
            sequence: nil,
            values: UnsafeBufferPointer(start: nil, count: 0)
        )
    }
}

extension RawEvent {
    /// The fields of a valid event. Its `shape` has passed the rules, so the required fields are present.
    func fields(_ shape: EventShape, values: UnsafeBufferPointer<FieldValue>) -> EventFields {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        return EventFields(
            id: id.string ?? none,
            source: source.string ?? none,
            type: type.string ?? none,
            time: shape.timestamp ?? Timestamp(milliseconds: 0),
            installID: installID.string ?? none,
            sessionID: shape.sessionID == .string ? sessionID.string : nil,
            sequence: shape.sequence == .number ? Int64(shape.sequenceNumber) : nil,
            values: values
        )
    }

    /// The value of a field. Where the JSON repeats the name, it is the last value.
    func value(of field: Field) -> FieldValue {
        let (members, name) =
            switch field {
            case .data(let name): (dataMembers, name)
            case .property(let name): (propertyMembers, name)
            }
        let member = members.last { $0.name?.elementsEqual(name.utf8) ?? false }
        return switch member?.value ?? .absent {
        case .absent: .absent
        case .string(let bytes):
            bytes.count > EventRules.maximumTextSize || bytes.isEmpty && field.isAbsentWhenEmpty
                ? .absent : .string(bytes)
        case .number(let number): number.isFinite ? .number(number) : .absent
        case .bool(let bool): .bool(bool)
        case .malformedString, .array, .object: .other
        }
    }
}

extension Field {
    /// Whether an empty string in this field counts as absent in the event format.
    var isAbsentWhenEmpty: Bool {
        self == .data("session_id") || self == .data("user_id")
    }
}
