extension JSONCursor {
    /// Checks the value that starts at the position, at any depth, and moves past it.
    mutating func skipValue() throws(JSONSyntaxError) {
        var open = ContainerStack()
        repeat {
            switch next {
            case UInt8(ascii: "{"):
                position += 1
                open.push(isObject: true)
                skipWhitespace()
                if next != UInt8(ascii: "}") {
                    _ = try scanName()
                    continue
                }
            case UInt8(ascii: "["):
                position += 1
                open.push(isObject: false)
                skipWhitespace()
                if next != UInt8(ascii: "]") { continue }
            case UInt8(ascii: "\""): _ = try scanString()
            case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): try skipWord()
            default: try skipNumber()
            }
            try skipAfterValue(&open)
        } while !open.isEmpty
    }

    /// Moves past the ends of all containers that end at the position, and past the comma and the name before the next
    /// value.
    private mutating func skipAfterValue(_ open: inout ContainerStack) throws(JSONSyntaxError) {
        while !open.isEmpty {
            skipWhitespace()
            if next == UInt8(ascii: ",") {
                position += 1
                skipWhitespace()
                if open.isObject { _ = try scanName() }
                return
            }
            try open.isObject ? skip("}", "',' or '}'") : skip("]", "',' or ']'")
            open.pop()
        }
    }

    /// Reads a member's name and moves to its value.
    mutating func scanName() throws(JSONSyntaxError) -> ScannedString {
        let name = try scanString()
        skipWhitespace()
        try skip(":", "':'")
        skipWhitespace()
        return name
    }

    /// Moves past `true`, `false` or `null`.
    mutating func skipWord() throws(JSONSyntaxError) {
        for word: StaticString in ["true", "false", "null"] where next == word.utf8Start.pointee {
            let end = position + word.utf8CodeUnitCount
            guard end <= bytes.count, bytes.slice(position..<end).equals(word) else { break }
            position = end
            return
        }
        throw error("a value")
    }
}

/// The open containers, outermost first. Each takes one bit, so a megabyte of brackets takes 128 KiB.
private struct ContainerStack {
    private var depth = 0
    /// The innermost containers, at most 64; the innermost is the lowest bit.
    private var word: UInt64 = 0
    private var outer: [UInt64] = []

    var isEmpty: Bool { depth == 0 }
    var isObject: Bool { word & 1 == 1 }

    mutating func push(isObject: Bool) {
        if depth > 0, depth.isMultiple(of: 64) { outer.append(word) }
        word = word << 1 | (isObject ? 1 : 0)
        depth += 1
    }

    mutating func pop() {
        depth -= 1
        word >>= 1
        if depth > 0, depth.isMultiple(of: 64) { word = outer.removeLast() }
    }
}
