extension Event {
    /// The content type of a record with one event in structured mode.
    package static let contentType = "application/cloudevents+json; charset=UTF-8"

    /// Appends the event as CloudEvents JSON.
    ///
    /// Attributes have the order of the event format; properties are sorted by name. The JSON leaves out attributes that
    /// are `nil`, an empty session id, an empty user id, and an empty set of properties. `partitionkey` is the install
    /// id, which is also the key of the Kafka record.
    ///
    /// - Throws: the first rule that the event breaks. `buffer` is unchanged then.
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
        // The fixed parts, with `time`, have less than 200 bytes; `devicetime` and `sequence` less than 80; the name and
        // the punctuation of any other field at most 22.
        var size = 280 + id.utf8.count + source.utf8.count + type.utf8.count + 2 * installID.utf8.count
        size += sessionID.memberSize + userID.memberSize + screen.memberSize + previousScreen.memberSize
        size += transition.memberSize + presentationID.memberSize + paywallSource.memberSize
        for (name, value) in properties {
            // Six bytes are quotation marks, colon and comma.
            size += name.utf8.count + 6
            size += value.sizeWithoutEscapes
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
        // Sorted, so that a retry sends the same bytes. Similar events also compress better.
        var separator: StaticString = #","properties":{"#
        func append(_ name: String, _ value: PropertyValue) {
            json.append(separator)
            json.appendString(name)
            json.append(UInt8(ascii: ":"))
            switch value.kind {
            case .string(let text): json.appendString(text)
            case .number(let number): json.append(number)
            case .bool(let bool): json.append(bool ? "true" : "false")
            }
            separator = ","
        }
        if properties.count == 1 {
            // The most frequent case; nothing to sort.
            for (name, value) in properties { append(name, value) }
        } else {
            for (name, value) in properties.sorted(by: { $0.key < $1.key }) { append(name, value) }
        }
        json.append("}")
    }
}

// The box, because copying the attributes would retain each of their strings.
extension Event.Box: JSONWritable {
    var sizeWithoutEscapes: Int { attributes.sizeWithoutEscapes }

    func write(to json: inout JSONWriter) { attributes.write(to: &json) }
}

extension PropertyValue {
    fileprivate var sizeWithoutEscapes: Int {
        switch kind {
        case .string(let text): text.utf8.count
        case .number(let number): number.greatestSize
        case .bool: 5
        }
    }
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
