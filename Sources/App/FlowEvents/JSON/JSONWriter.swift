/// Writes JSON into memory of a fixed size.
///
/// This avoids the two largest costs of encoding an event: building strings, and checking the capacity and the uniqueness
/// of an array for each piece.
package struct JSONWriter {
    /// The length of the longest escape of one byte, `\u001f`.
    package static let longestEscape = 6

    private let room: UnsafeMutableBufferPointer<UInt8>
    /// The number of bytes written.
    private(set) var count = 0
    /// Whether the memory was too small for the text.
    private(set) var isTooSmall = false

    /// - Parameter room: memory that outlives the writer. It may be uninitialized.
    init(_ room: UnsafeMutableBufferPointer<UInt8>) {
        self.room = room
    }

    /// Appends a byte.
    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        guard count < room.count else {
            isTooSmall = true
            return
        }
        room.initializeElement(at: count, to: byte)
        count += 1
    }

    /// Appends text that contains no characters to escape.
    @inline(__always)
    package mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends bytes unchanged.
    @inline(__always)
    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count <= room.count - count else {
            isTooSmall = true
            return
        }
        _ = UnsafeMutableBufferPointer(rebasing: room[count...]).initialize(fromContentsOf: bytes)
        count += bytes.count
    }

    /// Appends `value` in decimal with leading zeros up to `width` digits; `width` is at most 20.
    package mutating func appendDigits(_ value: UInt, atLeast width: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            // From the last digit: to divide by a constant is several times faster than by a variable.
            var rest = value
            var first = digits.count
            repeat {
                first -= 1
                digits.initializeElement(at: first, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            } while rest > 0 || digits.count - first < width
            append(UnsafeBufferPointer(rebasing: digits[first...]))
        }
    }

    /// Appends `value` in its shortest form: `1` and not `1.0`, an integer of 64 bits with all its digits.
    ///
    /// - Precondition: `value` is finite; JSON cannot represent other numbers.
    package mutating func append(_ value: PropertyNumber) {
        precondition(value.isFinite, "JSON cannot represent \(value); EventRules rejects it before encoding")
        value.withFieldNumber { number in
            switch number {
            case .integer(let integer):
                if integer < 0 { append(UInt8(ascii: "-")) }
                appendDigits(UInt(integer.magnitude), atLeast: 1)
            case .unsigned(let integer): appendDigits(UInt(integer), atLeast: 1)
            case .digits(let digits): append(digits.assumingMemoryBound(to: UInt8.self))
            case .double(let double):
                // `description` is the shortest form. A string this short needs no allocation.
                var text = double.description
                text.withUTF8 { append($0) }
            }
        }
    }

    /// Appends `value` in its shortest form.
    ///
    /// - Precondition: `value` is finite.
    package mutating func append(_ value: Double) {
        append(PropertyNumber(value))
    }

    /// Appends `text` as a JSON string, with only the escapes that RFC 8259 requires.
    @inline(__always)
    package mutating func appendString(_ text: String) {
        append(UInt8(ascii: "\""))
        appendEscaping(text)
        append(UInt8(ascii: "\""))
    }

    /// Appends `text` as a JSON string without its quotation marks.
    package mutating func appendEscaping(_ text: String) {
        // A string bridged from Objective-C has no contiguous UTF-8, and is copied.
        if text.utf8.withContiguousStorageIfAvailable({ appendEscaping($0) }) == nil {
            var text = text
            text.withUTF8 { appendEscaping($0) }
        }
    }

    private mutating func appendEscaping(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard UnsafeRawBufferPointer(bytes).hasJSONEscapes else { return append(bytes) }
        var written = 0
        for (position, byte) in bytes.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
            append(UnsafeBufferPointer(rebasing: bytes[written..<position]))
            appendEscape(byte)
            written = position + 1
        }
        append(UnsafeBufferPointer(rebasing: bytes[written...]))
    }

    private mutating func appendEscape(_ byte: UInt8) {
        switch byte {
        case 0x22: append(#"\""#)
        case 0x5C: append(#"\\"#)
        case 0x08: append(#"\b"#)
        case 0x09: append(#"\t"#)
        case 0x0A: append(#"\n"#)
        case 0x0C: append(#"\f"#)
        case 0x0D: append(#"\r"#)
        default:
            append(#"\u00"#)
            append(UInt8(ascii: "0") + byte >> 4)
            append(byte & 15 < 10 ? UInt8(ascii: "0") + byte & 15 : UInt8(ascii: "a") - 10 + byte & 15)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether any byte needs an escape: a control character, a quotation mark, or a backslash.
    ///
    /// Tests eight bytes at once with
    /// [the bits of a subtraction](https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord), because nearly
    /// all text has no such byte.
    fileprivate var hasJSONEscapes: Bool {
        guard count >= 8 else { return contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C } }
        var offset = 0
        while offset + 8 < count {
            if hasJSONEscapes(at: offset) { return true }
            offset += 8
        }
        // The last eight bytes. They may overlap those before.
        return hasJSONEscapes(at: count - 8)
    }

    @inline(__always)
    private func hasJSONEscapes(at offset: Int) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let word = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let (quotes, backslashes) = (word ^ (ones &* 0x22), word ^ (ones &* 0x5C))
        let found = (word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
        return found & (ones &* 0x80) != 0
    }
}
