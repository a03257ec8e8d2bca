extension [UInt8] {
    /// Appends text that is known to need no escapes.
    package mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends `text` as a JSON string, with the escapes that RFC 8259 demands and no others.
    package mutating func appendJSON(_ text: String) {
        appendJSON(room: text.utf8.count + 2) { $0.appendString(text) }
    }

    /// Appends what `write` writes.
    ///
    /// - Parameter room: the bytes that it takes where no text in it needs escapes. Where one does, it is called again.
    mutating func appendJSON(room: Int, _ write: (inout JSONWriter) -> Void) {
        var room = room
        while !tryToAppendJSON(room: room, write) { room *= JSONWriter.longestEscape }
    }

    @inline(__always)
    private mutating func tryToAppendJSON(room: Int, _ write: (inout JSONWriter) -> Void) -> Bool {
        // Up to 1 KiB of it is on the stack.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { memory in
            var writer = JSONWriter(memory)
            write(&writer)
            guard !writer.isTooSmall else { return false }
            append(contentsOf: writer.written)
            return true
        }
    }
}
