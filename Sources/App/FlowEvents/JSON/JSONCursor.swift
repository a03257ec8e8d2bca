/// A strict parser of JSON ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)), including its UTF-8, that moves through
/// a text from left to right.
///
/// Foundation decodes only 18,000 events per second, and simdjson is C++, which apps should not have to link. This
/// parser copies only strings with escapes. A level of nesting takes one bit and no stack.
struct JSONCursor {
    /// The whole text.
    let bytes: UnsafeRawBufferPointer
    /// The offset of the next byte.
    var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The next byte; at the end 0, which the grammar does not allow anywhere.
    var next: UInt8 {
        position < bytes.count ? bytes[position] : 0
    }

    func error(_ expected: StaticString) -> JSONSyntaxError {
        JSONSyntaxError(offset: position, expected: expected)
    }

    mutating func skipWhitespace() {
        while true {
            switch next {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    mutating func skip(_ byte: Unicode.Scalar, _ expected: StaticString) throws(JSONSyntaxError) {
        guard next == UInt8(ascii: byte) else { throw error(expected) }
        position += 1
    }

    mutating func skipEnd() throws(JSONSyntaxError) {
        skipWhitespace()
        guard position == bytes.count else { throw error("the end") }
    }

    /// Reads the members of the object that starts at the position, and moves past it.
    mutating func readMembers(_ scratch: JSONScratch) throws(JSONSyntaxError) -> [JSONMember] {
        try skip("{", "an object")
        skipWhitespace()
        var members: [JSONMember] = []
        guard next != UInt8(ascii: "}") else {
            position += 1
            return members
        }
        members.reserveCapacity(16)
        while true {
            let name = try scanName()
            members.append(JSONMember(name: unescaped(name, scratch), value: try readValue(scratch)))
            skipWhitespace()
            guard next == UInt8(ascii: ",") else { break }
            position += 1
            skipWhitespace()
        }
        try skip("}", "',' or '}'")
        return members
    }

    private mutating func readValue(_ scratch: JSONScratch) throws(JSONSyntaxError) -> JSONValue {
        let start = position
        switch next {
        case UInt8(ascii: "\""):
            return unescaped(try scanString(), scratch).map(JSONValue.string) ?? .malformedString
        case UInt8(ascii: "{"):
            try skipValue()
            return .object(bytes.slice(start..<position))
        case UInt8(ascii: "["):
            try skipValue()
            return .array
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            try skipWord()
            let first = bytes[start]
            return first == UInt8(ascii: "n") ? .absent : .bool(first == UInt8(ascii: "t"))
        default:
            try skipNumber()
            return .number(FieldNumber(decimal: bytes.slice(start..<position)))
        }
    }
}

/// Where a text breaks the grammar of JSON, and how.
struct JSONSyntaxError: Error {
    /// The offset of the first unexpected byte; the length of the text if it ends too early.
    let offset: Int
    /// What the grammar allows at the offset.
    let expected: StaticString
}
