import FlowEvents

extension EventFields {
    /// Calls `body` with the fields of an event, as a reader supplies them.
    package static func with<R>(_ event: Event, fields: [Field], _ body: (EventFields) throws -> R) rethrows -> R {
        // One buffer holds all strings, and every view points into it.
        var bytes: [UInt8] = [0]
        func store(_ string: String) -> Range<Int> {
            let start = bytes.count
            bytes += Array(string.utf8)
            return start..<bytes.count
        }
        let id = store(event.id)
        let source = store(event.source)
        let type = store(event.type)
        let install = store(event.installID)
        let session = event.sessionID.flatMap { $0.isEmpty ? nil : store($0) }
        // The digits of a large integer, like a string.
        func digits(_ number: PropertyNumber) -> Range<Int> {
            number.withFieldNumber { if case .digits = $0 { store(number.description) } else { 0..<0 } }
        }
        let wanted = fields.map { field -> (PropertyValue.Kind, Range<Int>)? in
            guard let value = FunnelOracle.value(of: field, in: event) else { return nil }
            if case .string(let string) = value { return (value.kind, store(string)) }
            if let number = value.exactNumber { return (value.kind, digits(number)) }
            return (value.kind, 0..<0)
        }
        return try bytes.withUnsafeBytes { bytes in
            func view(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }
            let values = wanted.map { value -> FieldValue in
                switch value {
                case nil: .absent
                case (.string, let range)?: .string(view(range))
                case (.number(let number), let range)?:
                    .number(range.isEmpty ? number.withFieldNumber { $0 } : .digits(view(range)))
                case (.bool(let bool), _)?: .bool(bool)
                }
            }
            return try values.withUnsafeBufferPointer { values in
                try body(
                    EventFields(
                        id: view(id),
                        source: view(source),
                        type: view(type),
                        time: event.time,
                        installID: view(install),
                        sessionID: session.map(view),
                        sequence: event.sequence,
                        values: values
                    )
                )
            }
        }
    }
}
