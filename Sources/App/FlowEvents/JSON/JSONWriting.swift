/// What a ``JSONWriter`` can write.
protocol JSONWritable {
    /// About the bytes that it takes where no text in it needs escapes, and rather more: too few only take longer.
    var sizeWithoutEscapes: Int { get }
    /// Writes all of it. Called again, with more room, where texts need escapes and there is too little.
    func write(to json: inout JSONWriter)
}

extension [UInt8] {
    /// The JSON of `value`.
    init(json value: some JSONWritable) {
        var room = value.sizeWithoutEscapes
        var isTooSmall = false
        repeat {
            self = Array(unsafeUninitializedCapacity: room) { memory, count in
                var writer = JSONWriter(memory)
                value.write(to: &writer)
                count = writer.count
                isTooSmall = writer.isTooSmall
            }
            room *= JSONWriter.longestEscape
        } while isTooSmall
    }

    /// Appends text that is known to need no escapes.
    package mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends `text` as a JSON string, with the escapes that RFC 8259 demands and no others.
    package mutating func appendJSON(_ text: String) {
        append(contentsOf: Array(json: JSONString(text: text)))
    }
}

private struct JSONString: JSONWritable {
    let text: String

    var sizeWithoutEscapes: Int { text.utf8.count + 2 }

    func write(to json: inout JSONWriter) { json.appendString(text) }
}
