extension Event {
    /// Reads an event from the CloudEvents JSON of one record's value, and checks it against the contract's rules.
    ///
    /// Attributes and fields that the contract does not name are ignored, and so is a property that is neither string,
    /// number nor boolean, since nothing can match it. Two properties whose names are canonically equivalent but not
    /// the same bytes become one, as Swift's dictionaries see them.
    ///
    /// Servers read events in bulk with `EventReader`, which makes no strings.
    ///
    /// - Parameter recordTimestamp: the record's timestamp, where there is one: an event that is more than 24 hours
    ///   ahead of it is not valid.
    /// - Throws: the first rule that the value breaks.
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
        // The rules hold, so that what they require is there.
        self.init(
            id: raw.id.text ?? "",
            source: raw.source.text ?? "",
            type: raw.type.text ?? "",
            time: shape.timestamp ?? Timestamp(milliseconds: 0),
            installID: raw.installID.text ?? "",
            sessionID: raw.sessionID.nonEmptyText,
            userID: raw.userID.nonEmptyText,
            sequence: raw.sequence.number.flatMap(\.integer),
            screen: raw.screen.text,
            previousScreen: raw.previousScreen.text,
            transition: raw.transition.text,
            presentationID: raw.presentationID.text,
            paywallSource: raw.paywallSource.text,
            properties: properties
        )
        if let text = raw.deviceTime.string { deviceTime = Timestamp(rfc3339: text) }
        // The values point into the scratch until here.
        withExtendedLifetime(scratch) {}
    }

    /// Reads an event from the CloudEvents JSON of one record's value, as ``init(json:recordTimestamp:)`` does for
    /// bytes that are not in an array.
    ///
    /// - Throws: the first rule that the value breaks.
    public init(json: [UInt8], recordTimestamp: Timestamp? = nil) throws(EventViolation) {
        // The standard library's closure has no typed error to rethrow, so the result comes out as a value.
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
        case .number(let number): self = .number(number)
        case .bool(let bool): self = .bool(bool)
        case .absent, .malformedString, .array, .object: return nil
        }
    }
}
