/// The elements of a JSON array, found only by brackets, quotation marks and commas.
///
/// This is several times faster than ``JSONDocument``, and does not check the elements. If each element is valid JSON,
/// then the whole text is, and ``JSONDocument`` finds the same elements. Otherwise use ``JSONDocument``.
package struct JSONOutline {
    /// The range of each element.
    package private(set) var elements: [Range<Int>] = []

    /// Finds the elements; `nil` if the text is not an array, has too many elements, or has no element between two
    /// commas.
    ///
    /// - Parameters:
    ///   - text: the whole document.
    ///   - limit: the maximum number of elements.
    package init?(of text: UnsafeRawBufferPointer, limit: Int) {
        var cursor = JSONCursor(text)
        cursor.skipWhitespace()
        guard cursor.next == UInt8(ascii: "[") else { return nil }
        cursor.position += 1
        cursor.skipWhitespace()
        var hasMore = cursor.next != UInt8(ascii: "]")
        while hasMore {
            let start = cursor.position
            guard elements.count < limit, let end = Self.end(ofElementAt: start, in: text) else { return nil }
            guard let last = text[start..<end].lastIndex(where: { !Self.isWhitespace($0) }) else { return nil }
            elements.append(start..<last + 1)
            cursor.position = end
            hasMore = text[end] == UInt8(ascii: ",")
            if hasMore {
                cursor.position += 1
                cursor.skipWhitespace()
            }
        }
        cursor.position += 1
        cursor.skipWhitespace()
        guard cursor.position == text.count else { return nil }
    }

    /// Returns the range of a text's single value without the surrounding whitespace; `nil` for an array and for a text
    /// without a value.
    package static func value(of text: UnsafeRawBufferPointer) -> Range<Int>? {
        guard let first = text.firstIndex(where: { !isWhitespace($0) }), text[first] != UInt8(ascii: "["),
            let last = text.lastIndex(where: { !isWhitespace($0) })
        else { return nil }
        return first..<last + 1
    }

    /// Returns the offset of the comma or bracket after an element; `nil` if there is none.
    private static func end(ofElementAt start: Int, in text: UnsafeRawBufferPointer) -> Int? {
        var position = start
        var depth = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""):
                guard let quote = Self.end(ofStringAt: position, in: text) else { return nil }
                position = quote
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]") where depth == 0: return position
            case UInt8(ascii: ",") where depth == 0: return position
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return nil }
                depth -= 1
            default: break
            }
            position += 1
        }
        return nil
    }

    /// Returns the offset of the quotation mark that ends a string.
    private static func end(ofStringAt start: Int, in text: UnsafeRawBufferPointer) -> Int? {
        var position = start + 1
        while true {
            // Eight bytes at a time, because most of a document is strings.
            while position + 8 <= text.count {
                let bytes = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                let found = Self.matches(bytes, UInt8(ascii: "\"")) | Self.matches(bytes, UInt8(ascii: "\\"))
                position += found.trailingZeroBitCount / 8
                if found != 0 { break }
            }
            guard position < text.count else { return nil }
            switch text[position] {
            case UInt8(ascii: "\""): return position
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
    }

    /// Sets the highest bit of the first of eight bytes that equals a value, and of no byte before it;
    /// [Bit Twiddling Hacks](https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord).
    private static func matches(_ bytes: UInt64, _ value: UInt8) -> UInt64 {
        let difference = bytes ^ (0x0101_0101_0101_0101 &* UInt64(value))
        return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
