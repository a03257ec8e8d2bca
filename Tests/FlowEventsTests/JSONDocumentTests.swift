import FlowEvents
import Testing

@Suite struct JSONDocumentTests {
    private static func split(_ text: String, limit: Int = 100) -> Result<[String]?, EventViolation> {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { buffer in
            do {
                switch try JSONDocument(splitting: buffer, limit: limit) {
                case .array(let ranges): return .success(ranges.map { String(decoding: bytes[$0], as: UTF8.self) })
                case .value(let range): return .success([String(decoding: bytes[range], as: UTF8.self)])
                case .tooManyElements: return .success(nil)
                }
            } catch let error as EventViolation {
                return .failure(error)
            } catch {
                return .success(nil)
            }
        }
    }

    @Test func `an array's elements are found with the bytes that they were written with`() throws {
        #expect(
            try Self.split(" [ {\"a\" : [1,2]} ,\n\"x,]\\\"\", 1.0 ,null] ").get() == [
                "{\"a\" : [1,2]}", "\"x,]\\\"\"", "1.0", "null",
            ]
        )
        #expect(try Self.split("[]").get() == [])
        #expect(try Self.split("[ ]\n").get() == [])
    }

    @Test func `another value is found without the whitespace around it`() throws {
        #expect(try Self.split("\n {\"a\": [1]}\t").get() == ["{\"a\": [1]}"])
    }

    @Test(arguments: [
        "", " ", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1]]", "[1] x", "{\"a\":1", "[{\"a\":}]", "[01]",
        "nul",
    ])
    func `what is not JSON as a whole is refused`(text: String) {
        guard case .failure(let violation) = Self.split(text) else {
            Issue.record("'\(text)' was taken")
            return
        }
        #expect(violation.reason == .notJSON)
    }

    @Test func `an array is read no further than was asked for`() throws {
        #expect(try Self.split("[1,2,3]", limit: 3).get() == ["1", "2", "3"])
        #expect(try Self.split("[1,2,3", limit: 2).get() == nil)
    }
}
