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

    /// The double nearest to a number of which ``skipNumber()`` has checked the grammar; 0 for the negative zero, so
    /// that what is equal also looks the same.
    static func number(_ text: UnsafeRawBufferPointer) -> Double {
        // Up to 15 digits are exact in a double and need no rounding: the sequence of nearly every event.
        let isNegative = text[0] == UInt8(ascii: "-")
        let digits = text.dropFirst(isNegative ? 1 : 0)
        if digits.count <= 15, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) {
            let magnitude = digits.reduce(0) { $0 * 10 + Int64($1 &- UInt8(ascii: "0")) }
            return Double(isNegative ? -magnitude : magnitude)
        }
        // Every number of JSON is one of Swift, so the last case is only there for the type.
        return (Double(String(decoding: text, as: UTF8.self)) ?? .nan) + 0
    }
}
