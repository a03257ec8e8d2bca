extension JSONCursor {
    /// Checks the number that starts here and moves past it.
    mutating func skipNumber() throws(JSONSyntaxError) {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") {
            position += 1
        } else {
            try skipDigits(position == start ? "a value" : "a digit")
        }
        if next == UInt8(ascii: ".") {
            position += 1
            try skipDigits("a digit")
        }
        if next | 0x20 == UInt8(ascii: "e") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try skipDigits("a digit")
        }
    }

    private mutating func skipDigits(_ expected: StaticString) throws(JSONSyntaxError) {
        let start = position
        while next &- UInt8(ascii: "0") < 10 { position += 1 }
        guard position > start else { throw error(expected) }
    }

    /// Returns the double nearest to a number whose grammar ``skipNumber()`` has checked. Negative zero becomes 0.
    static func number(_ text: UnsafeRawBufferPointer) -> Double {
        // A double holds up to 15 digits exactly. That covers the sequence number of nearly every event.
        let isNegative = text[0] == UInt8(ascii: "-")
        let digits = text.dropFirst(isNegative ? 1 : 0)
        if digits.count <= 15, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) {
            let magnitude = digits.reduce(0) { $0 * 10 + Int64($1 &- UInt8(ascii: "0")) }
            return Double(isNegative ? -magnitude : magnitude)
        }
        // Swift parses every JSON number, so `nan` never occurs.
        return (Double(String(decoding: text, as: UTF8.self)) ?? .nan) + 0
    }
}
