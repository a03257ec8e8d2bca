import Foundation
import Testing

@testable import FlowEvents

@Suite struct JSONWritingTests {
    /// The writer tests eight bytes at a time, so the test covers every length and every offset.
    @Test(arguments: 0..<20)
    func `a byte is escaped wherever it stands, and no other is`(length: Int) throws {
        let unicode = [
            "\u{0}", "\u{1F}", " ", "!", "\"", "#", "[", "\\", "]", "\u{7F}", "\u{A2}", "é", "—", "\u{10FFFF}",
        ]
        for place in 0..<max(1, length) {
            for scalar in unicode {
                let text = String(repeating: "a", count: place) + scalar + String(repeating: "z", count: length)
                let bytes = [UInt8](json: JSONString(text: text))
                #expect(bytes == Array(reference(text).utf8), "\(scalar.debugDescription) at \(place) of \(length)")
                #expect(try JSONDecoder().decode([String].self, from: Data("[".utf8 + bytes + "]".utf8)) == [text])
            }
        }
    }

    private func reference(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "\"") { result, scalar in
            switch scalar {
            case "\"": result += #"\""#
            case "\\": result += #"\\"#
            case "\u{0}"..."\u{1F}": result += String(format: "\\u%04x", scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        } + "\""
    }
}

private struct JSONString: JSONWritable {
    let text: String

    var sizeWithoutEscapes: Int { text.utf8.count + 2 }

    func write(to json: inout JSONWriter) { json.appendString(text) }
}
