/// A place in a JSON text, moving from left to right: a strict reader of
/// [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259), UTF-8 included.
///
/// It is written by hand because Foundation's decodes 18,000 events a second, and simdjson is C++, which is not for the
/// phone. It copies nothing that has no escapes, and nesting costs it one bit a level and no stack.
struct JSONCursor {
    /// The whole text.
    let bytes: UnsafeRawBufferPointer
    /// The offset of the next byte.
    var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The next byte; 0, which is no part of the grammar, at the end.
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

    /// Reads the members of the object that starts here, and moves past it.
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
            return .number(Self.number(bytes.slice(start..<position)))
        }
    }
}

/// Where and how a text breaks the grammar of JSON.
struct JSONSyntaxError: Error {
    /// The offset of the first byte that cannot stand there; the length of the text where it ends too early.
    let offset: Int
    /// What could have stood there.
    let expected: StaticString
}
