/// A JSON text that is split into its values. A value is the range of its bytes, because a server that passes on an event
/// must not change its bytes.
package enum JSONDocument: Sendable, Hashable {
    /// An array, with the range of each element.
    case array([Range<Int>])
    /// Any other value, with its range without the surrounding whitespace.
    case value(Range<Int>)
    /// An array with more elements than the limit. The rest of the text was not read.
    case tooManyElements

    /// Splits a text.
    ///
    /// - Parameters:
    ///   - text: the whole document.
    ///   - limit: the maximum number of elements of an array.
    /// - Throws: a violation with the reason `not_json` if the text is not one JSON value (RFC 8259).
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
