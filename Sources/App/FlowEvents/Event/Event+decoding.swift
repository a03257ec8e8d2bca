extension Event {
    /// Reads an event from its CloudEvents JSON, and checks it against ``EventRules``.
    ///
    /// Attributes and fields that the event format does not name are ignored. A property that is not a string, a number
    /// or a boolean is ignored too, and so is a number that no double can hold. Two property names that Swift considers
    /// equal, although their bytes differ, become one property.
    ///
    /// Servers read many events faster with `EventReader`, which creates no strings.
    ///
    /// - Parameters:
    ///   - json: the value of one record, in UTF-8.
    ///   - recordTimestamp: the record's timestamp. An event that is more than 24 hours ahead of it is not valid. `nil`
    ///     skips this rule.
    /// - Throws: the first rule that the event breaks.
    public init(json: UnsafeRawBufferPointer, recordTimestamp: Timestamp? = nil) throws(EventViolation) {
        let scratch = JSONScratch()
        let raw = try RawEvent(reading: json, scratch)
        let shape = raw.shape
        if let violation = EventRules.violation(in: shape, recordTimestamp: recordTimestamp) { throw violation }
        var properties: [String: PropertyValue] = [:]
        for member in raw.propertyMembers {
            guard let name = member.name else { continue }
            properties[String(decoding: name, as: UTF8.self)] = PropertyValue(member.value)
        }
        // The rules hold, so the required fields exist.
        self.init(
            id: raw.id.text ?? "",
            source: raw.source.text ?? "",
            type: raw.type.text ?? "",
            time: shape.timestamp ?? Timestamp(milliseconds: 0),
            installID: raw.installID.text ?? "",
            sessionID: raw.sessionID.nonEmptyText,
            userID: raw.userID.nonEmptyText,
            sequence: raw.sequence.number?.integer,
            screen: raw.screen.text,
            previousScreen: raw.previousScreen.text,
            transition: raw.transition.text,
            presentationID: raw.presentationID.text,
            paywallSource: raw.paywallSource.text,
            properties: properties
        )
        if let text = raw.deviceTime.string { deviceTime = Timestamp(rfc3339: text) }
        // Until here, values point into the scratch memory.
        withExtendedLifetime(scratch) {}
    }

    /// Reads an event from its CloudEvents JSON, and checks it against ``EventRules``.
    ///
    /// ```swift
    /// let event = try Event(json: encodedEvent.value)
    /// ```
    ///
    /// - Parameters:
    ///   - json: the value of one record, in UTF-8.
    ///   - recordTimestamp: the record's timestamp. An event that is more than 24 hours ahead of it is not valid. `nil`
    ///     skips this rule.
    /// - Throws: the first rule that the event breaks.
    public init(json: [UInt8], recordTimestamp: Timestamp? = nil) throws(EventViolation) {
        // `withUnsafeBytes` rethrows no typed error, so the closure returns a result.
        let result = json.withUnsafeBytes { bytes in
            Result { () throws(EventViolation) in try Event(json: bytes, recordTimestamp: recordTimestamp) }
        }
        self = try result.get()
    }
}

extension JSONValue {
    fileprivate var text: String? {
        string.map { String(decoding: $0, as: UTF8.self) }
    }

    fileprivate var nonEmptyText: String? {
        text.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension PropertyValue {
    fileprivate init?(_ value: JSONValue) {
        switch value {
        case .string(let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
        case .number(let number) where number.isFinite: self = .number(PropertyNumber(number))
        case .bool(let bool): self = .bool(bool)
        case .absent, .number, .malformedString, .array, .object: return nil
        }
    }
}
