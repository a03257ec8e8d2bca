/// Writes JSON into memory of a fixed size.
///
/// Building strings first would be most of the cost of an event, and asking an array at each piece for its room and
/// whether it is shared would be most of what is left.
struct JSONWriter {
    /// What an event's text grows by at most where every byte of it has to be escaped: `\u001f`.
    static let longestEscape = 6

    private let room: UnsafeMutableBufferPointer<UInt8>
    /// How many bytes have been written.
    private(set) var count = 0
    /// Whether something was left out because there was no room for it.
    private(set) var isTooSmall = false

    /// - Parameter room: memory that is there for as long as the writer is; it need not be initialized.
    init(_ room: UnsafeMutableBufferPointer<UInt8>) {
        self.room = room
    }

    /// Appends a byte.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        guard count < room.count else {
            isTooSmall = true
            return
        }
        room.initializeElement(at: count, to: byte)
        count += 1
    }

    /// Appends text that is known to need no escapes.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends bytes as they are.
    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count <= room.count - count else {
            isTooSmall = true
            return
        }
        _ = UnsafeMutableBufferPointer(rebasing: room[count...]).initialize(fromContentsOf: bytes)
        count += bytes.count
    }

    /// Appends `value` in decimal with leading zeros up to `width` digits; `width` is at most 20.
    mutating func appendDigits(_ value: UInt, atLeast width: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            // Backwards: dividing by a constant is several times faster than by a power that varies.
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

    /// Appends `value` in its shortest form: `1`, not `1.0`; also `0` for the negative zero, which equals it.
    ///
    /// - Precondition: `value` is finite; JSON has no other numbers.
    mutating func append(_ value: Double) {
        precondition(value.isFinite, "JSON has no \(value); EventRules refuses it before it is written")
        if let integer = value.integer {
            if integer < 0 { append(UInt8(ascii: "-")) }
            appendDigits(UInt(integer.magnitude), atLeast: 1)
        } else {
            // The standard library's shortest form lives in `description`; a short string needs no allocation.
            var text = value.description
            if text.hasSuffix(".0") { text.removeLast(2) }
            text.withUTF8 { append($0) }
        }
    }

    /// Appends `text` as a JSON string, with the escapes that RFC 8259 demands and no others.
    @inline(__always)
    mutating func appendString(_ text: String) {
        append(UInt8(ascii: "\""))
        appendEscaping(text)
        append(UInt8(ascii: "\""))
    }

    /// Appends what stands between the quotation marks of `text` as a JSON string.
    mutating func appendEscaping(_ text: String) {
        // A string that came over from Objective-C has its bytes elsewhere, and is copied first.
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
    /// Whether a byte is one that JSON escapes: a control character, a quotation mark, a backslash.
    ///
    /// Eight bytes at once, as nearly all text has none: a byte's highest bit is set where it is less than a number, by
    /// [the bits of a subtraction](https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord).
    fileprivate var hasJSONEscapes: Bool {
        guard count >= 8 else { return contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C } }
        var offset = 0
        while offset + 8 < count {
            if hasJSONEscapes(at: offset) { return true }
            offset += 8
        }
        // The last eight, some of which may have been looked at.
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
