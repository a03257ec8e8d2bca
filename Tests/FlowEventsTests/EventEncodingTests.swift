import FlowEventTestSupport
import Testing
@testable import FlowEvents
@Suite struct EventEncodingTests {
    static let minimal = Event(
        id: "1",
        source: "app://com.example.shop",
        type: "screen_view",
        time: Timestamp(milliseconds: 1_795_169_730_123),
        installID: "5b0c"
    )
    private func text(_ event: Event) throws -> String {
        try #require(String(validating: try event.encoded(), as: UTF8.self))
    }
    @Test func `the attributes stand in the contract's order`() throws {
        var event = Self.minimal
        event.sessionID = "0193"
        event.userID = "u-42"
        event.sequence = 17
        event.screen = "paywall"
        event.previousScreen = "home"
        event.transition = "present"
        event.presentationID = "0194"
        event.paywallSource = "home"
        event.properties = ["platform": "ios", "app_version": "3.1.0", "price": 9.99, "trial": true, "items": 1]
        let expected = #"""
            {"specversion":"1.0","id":"1","source":"app://com.example.shop","type":"screen_view",\#
            "time":"2026-11-20T10:15:30.123Z","partitionkey":"5b0c","datacontenttype":"application/json",\#
            "data":{"install_id":"5b0c","session_id":"0193","user_id":"u-42","sequence":17,"screen":"paywall",\#
            "previous_screen":"home","transition":"present","presentation_id":"0194","paywall_source":"home",\#
            "properties":{"app_version":"3.1.0","items":1,"platform":"ios","price":9.99,"trial":true}}}
            """#
        #expect(try text(event) == expected)
    }
    @Test func `what is absent is left out, an empty session and user too`() throws {
        var event = Self.minimal
        event.sessionID = ""
        event.userID = ""
        #expect(try text(event).hasSuffix(#""data":{"install_id":"5b0c"}}"#))
    }
    @Test(
        arguments: [
            (1, "1"), (1.5, "1.5"), (-0.0, "0"), (-1, "-1"), (100, "100"), (1e15, "1000000000000000"),
            (9_007_199_254_740_992, "9007199254740992"), (-9_007_199_254_740_991, "-9007199254740991"),
            (0.1, "0.1"), (1e22, "1e+22"), (.leastNonzeroMagnitude, "5e-324"), (1e-7, "1e-07"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
        ] as [(Double, String)]
    )
    func `a number is written in its shortest form`(number: Double, text expected: String) throws {
        var event = Self.minimal
        event.properties = ["n": .number(number)]
        #expect(try text(event).hasSuffix(#""properties":{"n":\#(expected)}}}"#))
        #expect(try Event(json: event.encoded()).properties == ["n": .number(number)])
    }
    @Test(
        arguments: [
            (#"""#, #"\""#), (#"\"#, #"\\"#), ("\u{8}\t\n\u{C}\r", #"\b\t\n\f\r"#),
            ("\0\u{1F}\u{1A}", #"\u0000\u001f\u001a"#),
            ("/", "/"), ("\u{7F}\u{2028}é😀", "\u{7F}\u{2028}é😀"),
        ]
    )
    func `only what JSON demands is escaped`(value: String, escaped: String) throws {
        var event = Self.minimal
        event.screen = value
        #expect(try text(event).hasSuffix(#""screen":"\#(escaped)"}}"#))
        #expect(try Event(json: event.encoded()).screen?.utf8.elementsEqual(value.utf8) == true)
    }
    @Test func `an event that breaks a rule leaves the buffer as it was`() {
        var event = Self.minimal
        var buffer: [UInt8] = [1, 2, 3]
        event.properties["x"] = .string(String(repeating: "x", count: EventRules.maximumSize))
        #expect { try event.encode(into: &buffer) } throws: { ($0 as? EventViolation)?.reason == .tooLarge }
        event.properties = [:]
        event.id = ""
        #expect { try event.encode(into: &buffer) } throws: { ($0 as? EventViolation)?.reason == .invalidField }
        #expect(buffer == [1, 2, 3])
    }
    @Test func `the largest event that fits is written and read`() throws {
        var event = Self.minimal
        event.properties["x"] = ""
        let size = EventRules.maximumSize - (try event.encoded().count)
        event.properties["x"] = .string(String(repeating: "x", count: size))
        let bytes = try event.encoded()
        #expect(bytes.count == EventRules.maximumSize)
        #expect(try Event(json: bytes) == event)
    }
    @Test func `events after one another go into one buffer`() throws {
        var buffer: [UInt8] = []
        try Self.minimal.encode(into: &buffer)
        try Self.minimal.encode(into: &buffer)
        let once = try Self.minimal.encoded()
        #expect(buffer == once + once)
    }
    @Test func `a random event reads back as it was written`() throws {
        var generator = SeededGenerator(seed: 20)
        for round in 0..<3000 {
            let event = Event.random(using: &generator)
            #expect(try Event(json: event.encoded()) == event, "seed 20, round \(round)")
        }
    }
}
