extension Event {
    /// Appends the event as CloudEvents JSON, with its attributes in the contract's order and its properties in the
    /// order of their names. What is absent is left out, and so are an empty session, user or set of properties.
    ///
    /// `partitionkey` is the install id, which is also the record's key.
    ///
    /// - Throws: the first rule that the event breaks; `buffer` is then as it was.
    public func encode(into buffer: inout [UInt8]) throws(EventViolation) {
        buffer.append(contentsOf: try encoded())
    }

    /// The event as CloudEvents JSON, as ``encode(into:)`` writes it.
    ///
    /// - Throws: the first rule that the event breaks.
    public func encoded() throws(EventViolation) -> [UInt8] {
        if let violation = EventRules.violation(in: self) { throw violation }
        let json = [UInt8](json: box)
        if let violation = EventRules.violation(inSize: json.count) { throw violation }
        return json
    }
}

extension Event.Attributes {
    fileprivate var sizeWithoutEscapes: Int {
        // What is always there, with the moment, is less than 200 bytes; `devicetime` and `sequence` less than 80; around
        // each other text, with its name, there are at most 22.
        var size = 280 + id.utf8.count + source.utf8.count + type.utf8.count + 2 * installID.utf8.count
        size += sessionID.memberSize + userID.memberSize + screen.memberSize + previousScreen.memberSize
        size += transition.memberSize + presentationID.memberSize + paywallSource.memberSize
        for (name, value) in properties {
            // No number is longer than 24 bytes; quotation marks, the colon and the comma.
            size += name.utf8.count + 6
            if case .string(let text) = value { size += text.utf8.count } else { size += 24 }
        }
        return size
    }

    fileprivate func write(to json: inout JSONWriter) {
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

// The box and not what is in it, which would be copied with the references of all its texts.
extension Event.Box: JSONWritable {
    var sizeWithoutEscapes: Int { attributes.sizeWithoutEscapes }

    func write(to json: inout JSONWriter) { attributes.write(to: &json) }
}

extension String? {
    fileprivate var memberSize: Int { map { $0.utf8.count + 22 } ?? 0 }
}

extension JSONWriter {
    fileprivate mutating func appendMember(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        append(name)
        appendString(value)
    }
}
