import EventReader
import FlowEventTestSupport
import FlowEvents
import Foundation
import Testing
@Suite struct EventReaderTests {
    private let now = Timestamp(milliseconds: 1_795_169_730_123)

    @Test(arguments: RecordCase.table)
    func `a value is an event, or a dead letter with the reason of the contract`(record: RecordCase) {
        let violation = EventReader(fields: []).read(record.bytes).violation
        #expect(record.demands(violation), "\(violation?.description ?? "valid")")
    }
    @Test func `the fields asked for are handed over in their order`() {
        let names = [
            "screen", "properties.platform", "own", "sequence", "properties.a.b", "properties", "missing",
            "properties.missing",
            "user_id", "session_id", "properties.no", "properties.yes", "properties.list", "properties.null",
            "properties.half",
            "properties.empty", "properties.big", "transition", "screen", "properties.é", "properties.zero",
        ]
        let json = #"""
            {"specversion":"1.0","id":"1","source":"a","type":"t","time":"2026-11-20T10:15:30Z","data":{"install_id":"i",
             "session_id":"","user_id":"","sequence":17,"screen":"ho\u006de","own":1.5,"a":{"b":"no"},"transition":"",
             "properties":{"platform":"ios","a.b":"yes","yes":true,"no":false,"list":[1],"null":null,"half":"\ud800",
             "empty":"","big":1e400,"zero":-0.0,"\u00e9":"e"}}}
            """#
        // simdjson refuses a document with 1e400, which the parser of FlowEvents reads then.
        for (text, big) in [(json, "absent"), (json.replacing("1e400", with: "1e300"), "1e+300")] {
            let snapshot = EventReader(fields: names.compactMap(Field.init(path:))).read(Array(text.utf8)).snapshot
            let expected = [
                "home", "ios", "1.5", "17", "yes", "other", "absent", "absent", "absent", "absent", "false", "true",
                "other",
                "absent", "other", "", big, "", "home", "e", "0",
            ]
            #expect(snapshot?.values == expected)
            #expect(snapshot?.sessionID == nil && snapshot?.sequence == 17 && snapshot?.installID == "i")
        }
    }
    @Test func `a string of 1025 bytes beyond the contract's fields is absent, one of 1024 is not`() {
        let names = ["own", "properties.long", "own2", "properties.longest"]
        let longest = String(repeating: "é", count: 511) + #"\u00e9"#
        let json = #"""
            {"specversion":"1.0","id":"1","source":"a","type":"t","time":"2026-11-20T10:15:30Z","data":{"install_id":"i",
             "own":"\#(longest)x","own2":"\#(longest)","x":1,"properties":{"long":"\#(longest)\n","longest":"\#(longest)"}}}
            """#
        let kept = String(repeating: "é", count: 512)
        // With 1e400 simdjson refuses the document and the other reader answers; without, simdjson does.
        for text in [json, json.replacing(#""x":1"#, with: #""x":1e400"#)] {
            let snapshot = EventReader(fields: names.compactMap(Field.init(path:))).read(Array(text.utf8)).snapshot
            #expect(snapshot?.values == ["absent", "absent", kept, kept])
        }
    }
    @Test(arguments: [
        ("738529527931269425", "738529527931269425"), ("738529527931269425.0", "738529527931269425"),
        ("7.38529527931269425e17", "738529527931269425"), ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775808", "9223372036854775808"), ("18446744073709551615", "18446744073709551615"),
        ("18446744073709551616", "18446744073709551616"), ("-9223372036854775809", "-9223372036854775809"),
        ("123456789012345678901234567890", "123456789012345678901234567890"), ("1e18", "1000000000000000000"),
        ("1.0", "1"), ("10e-1", "1"), ("-0.0", "0"), ("0.50", "0.5"), ("1e300", "1e+300"), ("1e400", "absent"),
        ("-1e400", "absent"), ("9007199254740993.5", "9007199254740994"),
    ])
    func `an integer is exact, whichever way it is written`(written: String, text: String) throws {
        // A number beyond a double elsewhere makes the other reader answer.
        for other in ["1", "1e400"] {
            let json = #"""
                {"specversion":"1.0","id":"1","source":"a","type":"t","time":"2026-11-20T10:15:30Z",
                 "data":{"install_id":"i","other":\#(other),"own":\#(written),"properties":{"n":\#(written)}}}
                """#
            let reader = EventReader(fields: [.data("own"), .property("n")])
            #expect(reader.read(Array(json.utf8)).snapshot?.values == [text, text])
            let value = try Event(json: Array(json.utf8)).properties["n"]
            #expect(value == (text == "absent" ? nil : .number(try #require(PropertyNumber(decimal: text)))))
        }
    }
    @Test func `24 hours ahead of the record are allowed, and no millisecond more`() throws {
        let event = Event(id: "1", source: "a", type: "t", time: now, installID: "i")
        let json = try event.encoded()
        let reader = EventReader(fields: [])
        let bound = Timestamp(milliseconds: now.milliseconds - 86_400_000)
        #expect(reader.read(json, recordTimestamp: bound).violation == nil)
        let before = Timestamp(milliseconds: bound.milliseconds - 1)
        #expect(reader.read(json, recordTimestamp: before).violation?.reason == .futureTime)
        #expect(reader.read(json).violation == nil)
    }
    @Test func `a reader goes on after a dead letter, a huge value and a slow one`() throws {
        let reader = EventReader(fields: [.data("screen")])
        let event = Event(id: "1", source: "a", type: "t", time: now, installID: "i", screen: "home")
        for record in RecordCase.table {
            _ = reader.read(record.bytes)
            #expect(reader.read(try event.encoded()).snapshot?.values == ["home"])
        }
    }
    @Test func `an error of the caller goes through`() throws {
        struct Failure: Error {}
        let event = Event(id: "1", source: "a", type: "t", time: now, installID: "i")
        let json = try event.encoded()
        #expect(throws: Failure.self) {
            try json.withUnsafeBytes { bytes in
                _ = try EventReader(fields: []).read(bytes, recordTimestamp: nil) { _ in throw Failure() }
            }
        }
    }
    @Test func `the examples of the contract are all valid`() throws {
        let url = URL(filePath: #filePath).appending(path: "../../Fixtures/examples/events.ndjson").standardized
        let reader = EventReader(fields: [.data("screen")])
        let lines = try Data(contentsOf: url).split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 539)
        for line in lines {
            #expect(reader.read(Array(line)).violation == nil)
        }
    }
}
