/// One JSON text split into the values that it is made of, by where they stand: who passes an event on needs its bytes as
/// they came.
package enum JSONDocument: Sendable, Hashable {
    /// An array, and where each of its elements stands.
    case array([Range<Int>])
    /// Any other value, and where it stands between the whitespace around it.
    case value(Range<Int>)
    /// An array of more elements than were asked for. What comes after them was not read.
    case tooManyElements

    /// Splits a text.
    ///
    /// - Parameters:
    ///   - text: the whole document.
    ///   - limit: how many elements of an array are wanted at most.
    /// - Throws: a violation with the reason `not_json` where the text is not one JSON value by RFC 8259.
    package init(splitting text: UnsafeRawBufferPointer, limit: Int) throws(EventViolation) {
        do {
            self = try Self.split(text, limit: limit)
        } catch {
            let detail = text.isEmpty ? "the body is empty" : "byte \(error.offset): expected \(error.expected)"
            throw EventViolation(reason: .notJSON, detail: detail)
        }
    }

    private static func split(_ text: UnsafeRawBufferPointer, limit: Int) throws(JSONSyntaxError) -> JSONDocument {
        var cursor = JSONCursor(text)
        cursor.skipWhitespace()
        guard cursor.next == UInt8(ascii: "[") else {
            let start = cursor.position
            try cursor.skipValue()
            let end = cursor.position
            try cursor.skipEnd()
            return .value(start..<end)
        }
        var elements: [Range<Int>] = []
        cursor.position += 1
        cursor.skipWhitespace()
        var hasMore = cursor.next != UInt8(ascii: "]")
        while hasMore {
            guard elements.count < limit else { return .tooManyElements }
            let start = cursor.position
            try cursor.skipValue()
            elements.append(start..<cursor.position)
            cursor.skipWhitespace()
            hasMore = cursor.next == UInt8(ascii: ",")
            if hasMore {
                cursor.position += 1
                cursor.skipWhitespace()
            }
        }
        try cursor.skip("]", "',' or ']'")
        try cursor.skipEnd()
        return .array(elements)
    }
}
