/// A value that a ``JSONWriter`` can write.
protocol JSONWritable {
    /// The estimated size of the JSON if no text needs escapes. An estimate that is too low costs a second attempt.
    var sizeWithoutEscapes: Int { get }
    /// Writes the value. Called again with more memory if the first attempt did not fit.
    func write(to json: inout JSONWriter)
}

extension [UInt8] {
    /// Creates the JSON of `value`.
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

    /// Appends text that contains no characters to escape.
    package mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends `text` as a JSON string, with only the escapes that RFC 8259 requires.
    package mutating func appendJSON(_ text: String) {
        append(contentsOf: Array(json: JSONString(text: text)))
    }
}

private struct JSONString: JSONWritable {
    let text: String

    var sizeWithoutEscapes: Int { text.utf8.count + 2 }

    func write(to json: inout JSONWriter) { json.appendString(text) }
}
