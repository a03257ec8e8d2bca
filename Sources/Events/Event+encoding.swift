extension Event {
    /// Appends the event as CloudEvents JSON, with its attributes in the contract's order and its properties in the
    /// order of their names. What is absent is left out, and so are an empty session, user or set of properties.
    ///
    /// `partitionkey` is the install id, which is also the record's key.
    ///
    /// - Throws: the first rule that the event breaks; `buffer` is then as it was.
    public func encode(into buffer: inout [UInt8]) throws(EventViolation) {
        if let violation = EventRules.violation(in: self) { throw violation }
        let start = buffer.count
        append(to: &buffer)
        if let violation = EventRules.violation(inSize: buffer.count - start) {
            buffer.removeSubrange(start...)
            throw violation
        }
    }

    /// The event as CloudEvents JSON, as ``encode(into:)`` writes it.
    ///
    /// - Throws: the first rule that the event breaks.
    public func encoded() throws(EventViolation) -> [UInt8] {
        var buffer: [UInt8] = []
        buffer.reserveCapacity(640)
        try encode(into: &buffer)
        return buffer
    }

    private func append(to buffer: inout [UInt8]) {
        buffer.append(#"{"specversion":"1.0","id":"#)
        buffer.appendJSON(id)
        buffer.append(#","source":"#)
        buffer.appendJSON(source)
        buffer.append(#","type":"#)
        buffer.appendJSON(type)
        buffer.append(#","time":""#)
        time.appendRFC3339(to: &buffer)
        if let deviceTime {
            buffer.append(#"","devicetime":""#)
            deviceTime.appendRFC3339(to: &buffer)
        }
        buffer.append(#"","partitionkey":"#)
        buffer.appendJSON(installID)
        buffer.append(#","datacontenttype":"application/json","data":{"install_id":"#)
        buffer.appendJSON(installID)
        if sessionID?.isEmpty == false { buffer.appendMember(#","session_id":"#, sessionID) }
        if userID?.isEmpty == false { buffer.appendMember(#","user_id":"#, userID) }
        if let sequence {
            buffer.append(#","sequence":"#)
            buffer.appendDigits(UInt(sequence), atLeast: 1)
        }
        buffer.appendMember(#","screen":"#, screen)
        buffer.appendMember(#","previous_screen":"#, previousScreen)
        buffer.appendMember(#","transition":"#, transition)
        buffer.appendMember(#","presentation_id":"#, presentationID)
        buffer.appendMember(#","paywall_source":"#, paywallSource)
        appendProperties(to: &buffer)
        buffer.append("}}")
    }

    private func appendProperties(to buffer: inout [UInt8]) {
        guard !properties.isEmpty else { return }
        // One event has one form, so that a retry sends the same bytes; similar bytes side by side compress better too.
        var separator: StaticString = #","properties":{"#
        func append(_ name: String, _ value: PropertyValue) {
            buffer.append(separator)
            buffer.appendJSON(name)
            buffer.append(":")
            switch value {
            case .string(let text): buffer.appendJSON(text)
            case .number(let number): buffer.appendJSON(number)
            case .bool(let bool): buffer.append(bool ? "true" : "false")
            }
            separator = ","
        }
        if properties.count == 1 {
            // The most common number by far, and nothing to be sorted.
            for (name, value) in properties { append(name, value) }
        } else {
            for (name, value) in properties.sorted(by: { $0.key < $1.key }) { append(name, value) }
        }
        buffer.append("}")
    }
}

extension [UInt8] {
    fileprivate mutating func appendMember(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        append(name)
        appendJSON(value)
    }
}
