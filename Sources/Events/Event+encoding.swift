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
        buffer.appendJSON(self)
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
}

extension Event: JSONWritable {
    var sizeWithoutEscapes: Int {
        // What stands around the texts, two moments and a sequence number among it, is less than 450 bytes.
        var size = 450 + id.utf8.count + source.utf8.count + type.utf8.count + 2 * installID.utf8.count
        size += (sessionID?.utf8.count ?? 0) + (userID?.utf8.count ?? 0) + (screen?.utf8.count ?? 0)
        size += (previousScreen?.utf8.count ?? 0) + (transition?.utf8.count ?? 0)
        size += (presentationID?.utf8.count ?? 0) + (paywallSource?.utf8.count ?? 0)
        for (name, value) in properties {
            // No number is longer than 24 bytes; quotation marks, the colon and the comma.
            size += name.utf8.count + 6
            if case .string(let text) = value { size += text.utf8.count } else { size += 24 }
        }
        return size
    }

    func write(to json: inout JSONWriter) {
        json.append(#"{"specversion":"1.0","id":""#)
        json.appendEscaping(id)
        json.append(#"","source":""#)
        json.appendEscaping(source)
        json.append(#"","type":""#)
        json.appendEscaping(type)
        json.append(#"","time":""#)
        json.append(time)
        if let deviceTime {
            json.append(#"","devicetime":""#)
            json.append(deviceTime)
        }
        json.append(#"","partitionkey":""#)
        json.appendEscaping(installID)
        json.append(#"","datacontenttype":"application/json","data":{"install_id":"#)
        json.appendString(installID)
        if sessionID?.isEmpty == false { json.appendMember(#","session_id":"#, sessionID) }
        if userID?.isEmpty == false { json.appendMember(#","user_id":"#, userID) }
        if let sequence {
            json.append(#","sequence":"#)
            json.appendDigits(UInt(sequence), atLeast: 1)
        }
        json.appendMember(#","screen":"#, screen)
        json.appendMember(#","previous_screen":"#, previousScreen)
        json.appendMember(#","transition":"#, transition)
        json.appendMember(#","presentation_id":"#, presentationID)
        json.appendMember(#","paywall_source":"#, paywallSource)
        writeProperties(to: &json)
        json.append("}}")
    }

    private func writeProperties(to json: inout JSONWriter) {
        guard !properties.isEmpty else { return }
        // One event has one form, so that a retry sends the same bytes; similar bytes side by side compress better too.
        var separator: StaticString = #","properties":{"#
        func append(_ name: String, _ value: PropertyValue) {
            json.append(separator)
            json.appendString(name)
            json.append(UInt8(ascii: ":"))
            switch value {
            case .string(let text): json.appendString(text)
            case .number(let number): json.append(number)
            case .bool(let bool): json.append(bool ? "true" : "false")
            }
            separator = ","
        }
        if properties.count == 1 {
            // The most common number by far, and nothing to be sorted.
            for (name, value) in properties { append(name, value) }
        } else {
            for (name, value) in properties.sorted(by: { $0.key < $1.key }) { append(name, value) }
        }
        json.append("}")
    }
}

extension JSONWriter {
    fileprivate mutating func appendMember(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        append(name)
        appendString(value)
    }
}
