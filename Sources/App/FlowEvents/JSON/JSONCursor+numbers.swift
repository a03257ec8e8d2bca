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
}
