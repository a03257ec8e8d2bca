/// The content of a JSON string, without the quotation marks.
struct ScannedString {
    /// The bytes with their escapes.
    let raw: UnsafeRawBufferPointer
    /// Whether the bytes contain a backslash.
    let hasEscapes: Bool
}

extension JSONCursor {
    /// Checks the string that starts at the position, its escapes and its UTF-8, and moves past it.
    mutating func scanString() throws(JSONSyntaxError) -> ScannedString {
        try skip("\"", "a string")
        let start = position
        var hasEscapes = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                defer { position += 1 }
                return ScannedString(raw: bytes.slice(start..<position), hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try skipEscape()
            case 0x20...0x7F: position += 1
            case 0x80...: try skipMultibyteScalar()
            default: throw error("an escape instead of a control character")
            }
        }
        throw error("the end of a string")
    }

    private mutating func skipEscape() throws(JSONSyntaxError) {
        position += 1
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard Self.hexDigit(next) != nil else { throw error("a hexadecimal digit") }
                position += 1
            }
        default: throw error("an escape")
        }
    }

    /// Accepts the well-formed sequences of [Unicode's table 3-7](https://www.unicode.org/versions/latest/core-spec/chapter-3/).
    private mutating func skipMultibyteScalar() throws(JSONSyntaxError) {
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch bytes[position] {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: throw error("UTF-8")
            }
        position += 1
        guard second.contains(next) else { throw error("UTF-8") }
        for _ in 2..<length {
            position += 1
            guard (0x80...0xBF).contains(next) else { throw error("UTF-8") }
        }
        position += 1
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// Returns the string's UTF-8 without escapes; without copying if it has none. Returns `nil` if the string escapes
    /// half of a surrogate pair, which UTF-8 cannot represent.
    func unescaped(_ string: ScannedString, _ scratch: JSONScratch) -> UnsafeRawBufferPointer? {
        guard string.hasEscapes else { return string.raw }
        let raw = string.raw
        let output = scratch.take(raw.count)
        var (read, written) = (0, 0)
        func codeUnit(at offset: Int) -> UInt32? {
            guard offset + 6 <= raw.count, raw[offset] == UInt8(ascii: "\\"), raw[offset + 1] == UInt8(ascii: "u")
            else { return nil }
            return raw[offset + 2..<offset + 6].reduce(0) { $0 << 4 | (Self.hexDigit($1) ?? 0) }
        }
        while read < raw.count {
            guard raw[read] == UInt8(ascii: "\\") else {
                output[written] = raw[read]
                (read, written) = (read + 1, written + 1)
                continue
            }
            guard var code = codeUnit(at: read) else {
                output[written] = Self.meaning(ofEscaped: raw[read + 1])
                (read, written) = (read + 2, written + 1)
                continue
            }
            read += 6
            if (0xD800..<0xDC00).contains(code), let low = codeUnit(at: read), (0xDC00..<0xE000).contains(low) {
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
                read += 6
            }
            guard let scalar = Unicode.Scalar(code) else { return nil }
            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                output[written] = byte
                written += 1
            }
        }
        return UnsafeRawBufferPointer(rebasing: output[..<written])
    }

    private static func meaning(ofEscaped byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: byte
        }
    }
}
