import FlowEventTestSupport
import FlowEvents
import Testing

@Suite struct JSONOutlineTests {
    private static func outline(_ text: String, limit: Int = 100) -> [String]? {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { buffer in
            JSONOutline(of: buffer, limit: limit)?.elements.map { String(decoding: bytes[$0], as: UTF8.self) }
        }
    }

    /// The elements that the strict parser finds; `nil` if the text is not a JSON array.
    private static func elements(_ bytes: [UInt8]) -> [Range<Int>]? {
        bytes.withUnsafeBytes { buffer in
            guard case .array(let elements)? = try? JSONDocument(splitting: buffer, limit: 100) else { return nil }
            return elements
        }
    }

    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { (try? JSONDocument(splitting: $0, limit: .max)) != nil }
    }

    @Test func `an array's elements are found, whatever brackets, commas and quotes they hold`() {
        #expect(
            Self.outline(" [ {\"a\" : [1,2]} ,\n\"x,]\\\"\", 1.0 ,null] ") == [
                "{\"a\" : [1,2]}", "\"x,]\\\"\"", "1.0", "null",
            ]
        )
        #expect(Self.outline("[]") == [])
        #expect(Self.outline("[ ]\n") == [])
    }

    @Test(arguments: [
        "", " ", "[", "[1", "[1,", "[1,]", "[,1]", "[1]]", "[1] x", "{}", "1", "[{]", "[}]", "[\"]", "[\"\\",
    ])
    func `what is no array is none`(text: String) {
        #expect(Self.outline(text) == nil)
    }

    @Test func `more elements than asked for are not looked for`() {
        #expect(Self.outline("[1,2,3]", limit: 3)?.count == 3)
        #expect(Self.outline("[1,2,3]", limit: 2) == nil)
    }

    @Test func `another value stands between the whitespace around it`() {
        for (text, expected) in [(" {} \n", 1..<3), ("x", 0..<1), ("{\"a\": [1]}", 0..<10)] {
            #expect(Array(text.utf8).withUnsafeBytes { JSONOutline.value(of: $0) } == expected)
        }
        for text in ["", " \n", " [1]"] {
            #expect(Array(text.utf8).withUnsafeBytes { JSONOutline.value(of: $0) } == nil)
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `where each element is JSON the whole is, with these elements, and the other way around`(seed: UInt64) {
        var mutator = DocumentMutator(seed: seed)
        var generator = SeededGenerator(seed: seed)
        var found = (arrays: 0, others: 0)
        for _ in 0..<3000 {
            var bytes = Array("[".utf8)
            for number in 0..<Int.random(in: 0...4, using: &generator) {
                if number > 0 { bytes += Array([",", " ,\n", ", "][Int.random(in: 0..<3, using: &generator)].utf8) }
                bytes += mutator.next()
            }
            bytes += Array("]".utf8)
            let outline = bytes.withUnsafeBytes { JSONOutline(of: $0, limit: 100)?.elements }
            let elements = Self.elements(bytes)
            if let elements {
                found.arrays += 1
                #expect(outline == elements, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
            } else {
                found.others += 1
                let isEach = outline?.allSatisfy { Self.isJSON(Array(bytes[$0])) } ?? false
                #expect(!isEach, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
            }
        }
        #expect(found.arrays > 300 && found.others > 300)
    }
}
