import EventReader
import FlowEvents
import Testing

/// Events in binary mode, and with encoded data, as events that the reader knows.
@Suite struct ForeignEventTests {
    private static let attributes = [
        ("specversion", "1.0"), ("id", #"a"b"#), ("source", "app://s"), ("type", "t"), ("time", "2026-03-01T10:00:00Z"),
    ].map { ForeignEvent.Attribute(name: $0.0, value: $0.1) }

    private static func structured(_ attributes: [ForeignEvent.Attribute], _ data: String) -> [UInt8]? {
        Array(data.utf8).withUnsafeBytes { ForeignEvent.structured(attributes, data: $0) }
    }

    @Test func `headers and value make an event in structured mode`() throws {
        let value = try #require(Self.structured(Self.attributes, " {\"install_id\":\"i\",\"sequence\":3}\n"))
        let event = try Event(json: value)
        #expect(event.id == #"a"b"# && event.source == "app://s" && event.type == "t")
        #expect(event.installID == "i" && event.sequence == 3)
    }

    @Test(arguments: [#"{"install_id":"i"},"id":"x""#, "{", "nothing", "[{}]", "{} {}"])
    func `a value that is not one JSON object is none`(data: String) {
        #expect(Self.structured(Self.attributes, data) == nil)
    }

    @Test func `without a version, with a name that is none, or with one twice, there is no event`() {
        let data = #"{"install_id":"i"}"#
        #expect(Self.structured(Self.attributes, data) != nil)
        #expect(Self.structured(Array(Self.attributes.dropFirst()), data) == nil)
        for name in ["id", "data", "data_base64", "Upper", "with-dash", ""] {
            let more = Self.attributes + [ForeignEvent.Attribute(name: name, value: "x")]
            #expect(Self.structured(more, data) == nil, "\(name)")
        }
    }

    /// Reads a value as the consumer and the collector do, and returns the install and the screen.
    private static func read(_ value: [UInt8], _ attributes: [ForeignEvent.Attribute] = []) -> [String]? {
        let reader = EventReader(fields: [.data("screen")])
        func fields(_ bytes: UnsafeRawBufferPointer) -> EventReading<[String]> {
            reader.read(bytes, recordTimestamp: nil) { event in
                let screen =
                    if case .string(let text)? = event.values.first { String(decoding: text, as: UTF8.self) } else {
                        "-"
                    }
                return [String(decoding: event.installID, as: UTF8.self), screen]
            }
        }
        return value.withUnsafeBytes { bytes in
            switch fields(bytes) {
            case .valid(let found): return found
            case .deadLetter(let violation):
                guard let other = reader.rewritten(bytes, after: violation, attributes: { attributes }) else {
                    return nil
                }
                return other.withUnsafeBytes { if case .valid(let found) = fields($0) { found } else { nil } }
            }
        }
    }

    private static func encoded(_ members: String) -> [UInt8] {
        let start = #"{"specversion":"1.0","id":"1","source":"app://s","type":"t","time":"2026-03-01T10:00:00Z""#
        return Array("\(start)\(members)}".utf8)
    }

    @Test func `encoded data is read as data`() {
        // {"install_id":"i","screen":"home"}
        let text = "eyJpbnN0YWxsX2lkIjoiaSIsInNjcmVlbiI6ImhvbWUifQ=="
        #expect(Self.read(Self.encoded(#","data_base64":"\#(text)""#)) == ["i", "home"])
        #expect(Self.read(Self.encoded(#","data_base64":"\#(text)","data":null"#)) == ["i", "home"])
    }

    @Test(arguments: [
        #","data_base64":"%%%""#, #","data_base64":"e30=""#, #","data_base64":"bm90IEpTT04=""#, #","data_base64":7"#,
        #","data":{"screen":"x"},"data_base64":"eyJpbnN0YWxsX2lkIjoiaSJ9""#, "",
    ])
    func `encoded data that is no data of an event stays a dead letter`(members: String) {
        #expect(Self.read(Self.encoded(members)) == nil)
    }

    @Test func `a record in binary mode is read, and an event in structured mode takes no notice of headers`() {
        #expect(Self.read(Array(#"{"install_id":"i","screen":"home"}"#.utf8), Self.attributes) == ["i", "home"])
        #expect(Self.read(Array(#"{"install_id":"i","screen":"home"}"#.utf8)) == nil)
        let whole = Self.encoded(#","data":{"install_id":"j","screen":"s"}"#)
        #expect(Self.read(whole, Self.attributes) == ["j", "s"])
    }
}
