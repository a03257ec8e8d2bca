// JSON is written straight into a byte buffer: building strings first would be most of the cost of an event.
extension [UInt8] {
    /// Appends text that is known to need no escapes.
    package mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends `value` in decimal with leading zeros up to `width` digits.
    mutating func appendDigits(_ value: UInt, atLeast width: Int) {
        // Backwards and then turned around: dividing by a constant is several times faster than by a power that varies.
        var (rest, low) = (value, count)
        let end = count + width
        repeat {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0 || count < end
        var high = count - 1
        while low < high {
            swapAt(low, high)
            (low, high) = (low + 1, high - 1)
        }
    }

    /// Appends `value` in its shortest form: `1`, not `1.0`; also `0` for the negative zero, which equals it.
    ///
    /// - Precondition: `value` is finite; JSON has no other numbers.
    mutating func appendJSON(_ value: Double) {
        precondition(value.isFinite, "JSON has no \(value); EventRules refuses it before it is written")
        if let integer = value.integer {
            if integer < 0 { append(UInt8(ascii: "-")) }
            appendDigits(UInt(integer.magnitude), atLeast: 1)
        } else {
            // The standard library's shortest form lives in `description`; a short string needs no allocation.
            let text = value.description.utf8
            append(contentsOf: text.suffix(2).elementsEqual(".0".utf8) ? text.dropLast(2) : text[...])
        }
    }

    /// Appends `text` as a JSON string, with the escapes that RFC 8259 demands and no others.
    package mutating func appendJSON(_ text: String) {
        append(UInt8(ascii: "\""))
        // A string that came over from Objective-C has its bytes elsewhere, and is copied first.
        if text.utf8.withContiguousStorageIfAvailable({ appendEscaping($0) }) == nil {
            var text = text
            text.withUTF8 { appendEscaping($0) }
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaping(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard UnsafeRawBufferPointer(bytes).hasJSONEscapes else { return append(contentsOf: bytes) }
        var written = 0
        for (position, byte) in bytes.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
            append(contentsOf: bytes[written..<position])
            appendEscaped(byte)
            written = position + 1
        }
        append(contentsOf: bytes[written...])
    }

    private mutating func appendEscaped(_ byte: UInt8) {
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
