/// What a ``JSONWriter`` can write.
///
/// A protocol and no closure: a closure would copy the event that it writes, and so count the references of all its texts.
protocol JSONWritable {
    /// At least the bytes that it takes where no text in it needs escapes.
    var sizeWithoutEscapes: Int { get }
    /// Writes all of it. Called again, with more room, where texts need escapes and there is too little.
    func write(to json: inout JSONWriter)
}

extension [UInt8] {
    /// Appends text that is known to need no escapes.
    package mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends `text` as a JSON string, with the escapes that RFC 8259 demands and no others.
    package mutating func appendJSON(_ text: String) {
        appendJSON(JSONString(text: text))
    }

    mutating func appendJSON(_ value: some JSONWritable) {
        var room = value.sizeWithoutEscapes
        while true {
            // It belongs to the writer alone, and only as long as this turn.
            let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: room)
            defer { memory.deallocate() }
            var writer = JSONWriter(memory)
            value.write(to: &writer)
            if !writer.isTooSmall { return append(contentsOf: writer.written) }
            room *= JSONWriter.longestEscape
        }
    }
}

private struct JSONString: JSONWritable {
    let text: String

    var sizeWithoutEscapes: Int { text.utf8.count + 2 }

    func write(to json: inout JSONWriter) { json.appendString(text) }
}
