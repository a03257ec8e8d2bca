import FlowEvents

// Not with `Event`, whose numbers are doubles: the price keeps its digits.
extension StoreEvent {
    /// The event as CloudEvents JSON, with the attributes in the order of `Event`. It has no install if the event has none.
    ///
    /// The same event always has the same bytes.
    public func encoded() -> [UInt8] { [UInt8](json: self) }
}

extension StoreEvent: JSONWritable {
    package var sizeWithoutEscapes: Int {
        // The fixed parts have less than 250 bytes. Six bytes are quotation marks, colon and comma.
        var size = 300 + id.utf8.count + source.utf8.count + 2 * (installID?.utf8.count ?? 0)
        size += (presentationID?.utf8.count ?? 0) + (paywallSource?.utf8.count ?? 0)
        for (name, value) in properties {
            size += name.utf8.count + 6
            if case .string(let text) = value { size += text.utf8.count } else { size += 24 }
        }
        return size + (price?.description.utf8.count ?? 0)
    }

    package func write(to json: inout JSONWriter) {
        json.append(#"{"specversion":"1.0","id":"#)
        json.appendString(id)
        json.append(#","source":"#)
        json.appendString(source)
        json.append(#","type":"#)
        json.appendString(kind.rawValue)
        json.append(#","time":""#)
        json.appendEscaping(time.description)
        json.append(UInt8(ascii: "\""))
        if let installID {
            json.append(#","partitionkey":"#)
            json.appendString(installID)
        }
        json.append(#","datacontenttype":"application/json","data":{"#)
        if let installID {
            json.append(#""install_id":"#)
            json.appendString(installID)
            json.append(UInt8(ascii: ","))
        }
        if let presentationID {
            json.append(#""presentation_id":"#)
            json.appendString(presentationID)
            json.append(UInt8(ascii: ","))
        }
        if let paywallSource {
            json.append(#""paywall_source":"#)
            json.appendString(paywallSource)
            json.append(UInt8(ascii: ","))
        }
        writeProperties(to: &json)
        json.append("}}")
    }

    private func writeProperties(to json: inout JSONWriter) {
        json.append(#""properties":{"#)
        let names = Array(properties.keys) + (price == nil ? [] : ["price"])
        for (index, name) in names.sorted().enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.appendString(name)
            json.append(UInt8(ascii: ":"))
            switch name == "price" ? nil : properties[name]?.kind {
            // Digits, a point and a sign have nothing to escape.
            case nil: json.appendEscaping(price?.description ?? "null")
            case .string(let text): json.appendString(text)
            case .number(let number): json.append(number)
            case .bool(let bool): json.append(bool ? "true" : "false")
            }
        }
        json.append("}")
    }
}
