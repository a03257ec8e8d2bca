import FlowEvents

/// Makes valid events, damaged events, and damaged JSON. The same seed gives the same documents.
package struct DocumentMutator {
    private var generator: SeededGenerator
    private var originals: [[UInt8]] = []

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            // A random event is always valid, so encoding succeeds.
            originals.append((try? Event.random(using: &generator).encoded()) ?? [])
        }
    }

    /// Texts that JSON parsers often treat differently.
    private static let pieces = [
        "1e400", "-1e400", "1e-400", "18446744073709551616", "9007199254740993", "-0", "0.5", "17.0", "1e2", "null",
        "true",
        "[]", "{}", #""""#, #""x""#, #""\ud800""#, #""\udc00""#, #""\ud83d\ude00""#, #""\ud800\u0041""#, #""\u0000""#,
        #""\"\\\/\b\f\n\r\t""#, #""1.0""#, "1.0", "01", "1.", "-", "+1", "NaN", "tru", "\"", "\\", "{", "}", "[", "]",
        ",",
        ":", " ", "\n", "\t", "\r", "\u{C}", "\u{B}", "\0", "é", "😀", "\u{FEFF}", "//", #","id":"2""#, #","data":{}"#,
        #","data":{"install_id":"j","screen":"b"}"#, #","screen":"b""#, #","screen":3"#,
        #","properties":{"platform":2}"#,
        #","\u0069d":"3""#, #","sequence":-1"#, #","x":1e400"#, #","session_id":"""#, #","session_id":null"#,
        #"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"#,
        #""2026-11-20t10:15:30.9999-23:59""#, #""2023-02-29T00:00:00Z""#, "3.141592653589793238462643383279",
        "1.7976931348623159e308", "4.9e-324", "2.2250738585072011e-308", "123456789012345678901234567890",
        // The longest text that the contract allows, and longer ones, with and without escapes.
        "\"\(String(repeating: "x", count: 1024))\"", "\"\(String(repeating: "x", count: 1025))\"",
        "\"\(String(repeating: "é", count: 511))\\u00e9\"", "\"\(String(repeating: "é", count: 512))\\n\"",
        ",\"properties\":{\"platform\":\"\(String(repeating: "x", count: 1025))\"}",
    ].map { Array($0.utf8) }

    /// Returns the next document.
    package mutating func next() -> [UInt8] {
        var document = originals.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            mutate(&document)
        }
        return document
    }

    private mutating func mutate(_ document: inout [UInt8]) {
        let position = Int.random(in: 0...document.count, using: &generator)
        let end = min(document.count, position + Int.random(in: 0...8, using: &generator))
        switch UInt8.random(in: 0...6, using: &generator) {
        case 0: document.insert(contentsOf: piece(), at: position)
        case 1: document.replaceSubrange(position..<end, with: piece())
        case 2: document.removeSubrange(position..<end)
        case 3: document.removeSubrange(position...)
        case 4: document.insert(UInt8(truncatingIfNeeded: generator.next()), at: position)
        // Replaces a value, or inserts a member. The document usually stays valid JSON.
        default: replaceValue(in: &document)
        }
    }

    private mutating func replaceValue(in document: inout [UInt8]) {
        let start = Int.random(in: 0...document.count, using: &generator)
        guard let colon = document[start...].firstIndex(of: UInt8(ascii: ":")) else { return }
        let rest = document[(colon + 1)...]
        let end = rest.firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") } ?? rest.endIndex
        let isMember = Bool.random(using: &generator)
        document.replaceSubrange((isMember ? end : colon + 1)..<end, with: piece())
    }

    private mutating func piece() -> [UInt8] {
        Self.pieces.randomElement(using: &generator) ?? []
    }

    /// Whether Foundation parses a document as RFC 8259 requires. It rejects numbers with large exponents or many digits
    /// and escaped surrogates, and accepts a comma after an object's last member.
    package static func isPlain(_ document: [UInt8]) -> Bool {
        let text = String(decoding: document, as: UTF8.self).lowercased()
        return !text.contains(#"\ud"#) && !text.contains(#/[0-9]e[+-]?[0-9]{3}|[0-9]{19}|,[ \t\r\n]*}|\.[0-9]{17}/#)
    }
}
