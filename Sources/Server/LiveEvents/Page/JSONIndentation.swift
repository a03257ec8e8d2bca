/// Breaks JSON into lines, for people.
///
/// It changes nothing but the space between the tokens, so that a person sees the names and numbers as they were sent, also
/// where the text is cut off or is no JSON. A parser would write numbers its own way and leave out what stands twice.
enum JSONIndentation {
    private static let depthLimit = 40

    /// Returns the text with a line for each member and element.
    static func lines(_ json: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(json.count * 3 / 2)
        var depth = 0
        var isInString = false
        var isEscaped = false
        func breakLine() {
            text.append(UInt8(ascii: "\n"))
            text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * min(max(0, depth), depthLimit)))
        }
        for (index, byte) in json.enumerated() {
            if isInString {
                text.append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                text.append(byte)
                depth += 1
                if !isClosed(json, after: index) { breakLine() }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if let last = text.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { breakLine() }
                text.append(byte)
            case UInt8(ascii: ","):
                text.append(byte)
                breakLine()
            case UInt8(ascii: ":"):
                text.append(byte)
                text.append(UInt8(ascii: " "))
            default:
                isInString = byte == UInt8(ascii: "\"")
                text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether the object or array that begins at `index` has nothing in it.
    private static func isClosed(_ json: [UInt8], after index: Int) -> Bool {
        let next = json[(index + 1)...].first { !" \n\r\t".utf8.contains($0) }
        return next == UInt8(ascii: "}") || next == UInt8(ascii: "]")
    }
}
