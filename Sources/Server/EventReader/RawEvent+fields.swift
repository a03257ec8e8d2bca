import FlowEvents

extension EventFields {
    /// What stands in a reader before its first event.
    static var empty: EventFields {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        return EventFields(
            id: nothing,
            source: nothing,
            type: nothing,
            time: Timestamp(milliseconds: 0),
            installID: nothing,
            sessionID: nil,
            sequence: nil,
            values: UnsafeBufferPointer(start: nil, count: 0)
        )
    }
}

extension RawEvent {
    /// What a funnel sees of an event whose `shape` keeps the rules, so that what they require is there.
    func fields(_ shape: EventShape, values: UnsafeBufferPointer<FieldValue>) -> EventFields {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        return EventFields(
            id: id.string ?? nothing,
            source: source.string ?? nothing,
            type: type.string ?? nothing,
            time: shape.timestamp ?? Timestamp(milliseconds: 0),
            installID: installID.string ?? nothing,
            sessionID: shape.sessionID == .string ? sessionID.string : nil,
            sequence: shape.sequence == .number ? Int64(shape.sequenceNumber) : nil,
            values: values
        )
    }

    /// What stands in `field`: the last one, where its name stands twice.
    func value(of field: Field) -> FieldValue {
        let (members, name) =
            switch field {
            case .data(let name): (dataMembers, name)
            case .property(let name): (propertyMembers, name)
            }
        let member = members.last { $0.name?.elementsEqual(name.utf8) ?? false }
        return switch member?.value ?? .absent {
        case .absent: .absent
        case .string(let bytes): bytes.isEmpty && field.isAbsentWhenEmpty ? .absent : .string(bytes)
        case .number(let number): .number(number)
        case .bool(let bool): .bool(bool)
        case .malformedString, .array, .object: .other
        }
    }
}

extension Field {
    /// Whether the contract says that the empty string there is nothing.
    var isAbsentWhenEmpty: Bool {
        self == .data("session_id") || self == .data("user_id")
    }
}
