import FlowEventTestSupport
import Foundation
import Testing
@testable import FlowEvents
@Suite struct EventDecodingTests {
    private func violation(in json: [UInt8], recordTimestamp: Timestamp? = nil) -> EventViolation? {
        do throws(EventViolation) {
            _ = try Event(json: json, recordTimestamp: recordTimestamp)
            return nil
        } catch {
            return error
        }
    }
    @Test(arguments: RecordCase.table)
    func `a value is an event, or a dead letter with the reason of the contract`(record: RecordCase) {
        let violation = violation(in: record.bytes)
        #expect(record.demands(violation), "\(violation?.description ?? "valid")")
    }
    @Test func `all that the contract names is read, whatever else stands beside it`() throws {
        let json = #"""
            {"specversion":"1.0","id":"0193","source":"app://a","type":"screen_view","x":[{"id":"no"}],
             "time":"2026-11-20T11:15:30.1239+01:00","data":{"install_id":"i","session_id":"s","user_id":"u",
             "sequence":17.0,"screen":"p","previous_screen":"h","transition":"present","presentation_id":"n",
             "paywall_source":"home","extra":{},"properties":{"a":"\u00e9","b":1,"c":true,"d":null,"e":[],"f":{}}}}
            """#
        let expected = Event(
            id: "0193",
            source: "app://a",
            type: "screen_view",
            time: Timestamp(milliseconds: 1_795_169_730_123),
            installID: "i",
            sessionID: "s",
            userID: "u",
            sequence: 17,
            screen: "p",
            previousScreen: "h",
            transition: "present",
            presentationID: "n",
            paywallSource: "home",
            properties: ["a": "é", "b": 1, "c": true]
        )
        #expect(try Event(json: Array(json.utf8)) == expected)
    }
    @Test func `an empty session and user are none, an empty screen is one`() throws {
        let json = #"""
            {"specversion":"1.0","id":"1","source":"a","type":"t","time":"2026-11-20T11:15:30Z",
             "data":{"install_id":"i","session_id":"","user_id":"","screen":""}}
            """#
        let event = try Event(json: Array(json.utf8))
        #expect(event.sessionID == nil && event.userID == nil && event.screen == "")
    }
    @Test func `the future is told by the record's timestamp, after every other rule`() throws {
        var event = EventEncodingTests.minimal
        event.time = Timestamp(milliseconds: 4_102_444_800_000)
        let now = Timestamp(milliseconds: 1_795_169_730_123)
        let json = try event.encoded()
        #expect(violation(in: json, recordTimestamp: now)?.reason == .futureTime)
        #expect(try Event(json: json) == event)
        let broken = String(decoding: json, as: UTF8.self).replacing("install_id", with: "install")
        #expect(violation(in: Array(broken.utf8), recordTimestamp: now)?.reason == .missingField)
    }
    @Test func `a megabyte of open brackets is told, not fallen over`() {
        for bracket in ["[", #"{"a":"#] {
            let text = String(repeating: bracket, count: EventRules.maximumSize / bracket.utf8.count)
            #expect(violation(in: Array(text.utf8))?.reason == .notJSON)
        }
    }
    @Test func `what is JSON is what Foundation takes for JSON`() {
        var mutator = DocumentMutator(seed: 8259)
        var (valid, invalid) = (0, 0)
        for round in 0..<1500 {
            let document = mutator.next()
            // Foundation takes UTF-16 and UTF-32 too, which it tells by zero bytes and a byte order mark; and it
            // refuses what RFC 8259 allows: numbers beyond a double, half surrogate pairs, nesting beyond 512.
            guard !document.contains(0), document.first != 0xEF, document.first != 0xFE, document.first != 0xFF,
                DocumentMutator.isPlain(document)
            else { continue }
            let isJSON = (try? JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed)) != nil
            #expect(
                (violation(in: document)?.reason != .notJSON) == isJSON,
                "seed 8259, round \(round): \(String(decoding: document, as: UTF8.self))"
            )
            if isJSON { valid += 1 } else { invalid += 1 }
        }
        #expect(valid > 200 && invalid > 200)
    }
    @Test func `the examples of the contract are all valid`() throws {
        let url = URL(filePath: #filePath).appending(path: "../../Fixtures/examples/events.ndjson").standardized
        let lines = try Data(contentsOf: url).split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 539)
        for line in lines {
            _ = try Event(json: Array(line))
        }
    }
}
