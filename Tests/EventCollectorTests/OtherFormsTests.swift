import FlowEvents
import FlowTestSupport
import Testing

@testable import EventCollector

/// Events in other forms than those of the apps: beacons, binary mode, encoded data.
@Suite(.waits, .timeLimit(.minutes(5))) struct OtherFormsTests {
    private static let data = #"{"install_id":"i","screen":"home"}"#

    /// Posts without the headers of an app.
    private func post(_ collector: RunningCollector, _ body: String, _ headers: [String], query: String = "")
        async throws -> Answer
    {
        let arguments = headers.flatMap { ["-H", $0] } + ["--data-binary", "@-", collector.url + query]
        return try await Answer(curl: arguments, input: Array(body.utf8))
    }

    private static let beacon = ["Content-Type: text/plain;charset=UTF-8", "Authorization:"]

    @Test func `a beacon is a batch or one event, with the key in the query`() async throws {
        try await RunningCollector.with { collector in
            for body in ["[\(eventText("1")),\(eventText("2"))]", eventText("3")] {
                let answer = try await post(collector, body, Self.beacon, query: "?key=\(secret)")
                #expect(answer.status == 200 && !answer.body.contains("rejected"), "\(answer.body)")
            }
            #expect(try collector.records().count == 3)
        }
    }

    @Test func `a key in the query is checked, and never logged; a header comes first`() async throws {
        try await RunningCollector.with { collector in
            let wrong = try await post(collector, "[]", Self.beacon, query: "?key=\(secret)x")
            #expect(wrong.status == 401)
            let header = ["Content-Type: text/plain", "Authorization: Bearer wrong"]
            #expect(try await post(collector, "[]", header, query: "?key=\(secret)").status == 401)
            #expect(!collector.log.contains(secret))
        }
    }

    @Test func `an event in binary mode is published in structured mode`() async throws {
        try await RunningCollector.with { collector in
            let headers = [
                "Content-Type: application/json", "Authorization: Bearer \(secret)", "ce-specversion: 1.0",
                "ce-id: b%201",
                "ce-source: app://com.example.shop", "ce-type: screen_view", "ce-time: 2026-03-01T10:00:00Z",
            ]
            let answer = try await post(collector, " \(Self.data) ", headers)
            #expect(answer.status == 200 && answer.body.contains(#""id":"b 1","status":"accepted""#), "\(answer.body)")
            let record = try #require(try collector.records().first)
            let event = try Event(json: record.value)
            #expect(event.id == "b 1" && event.installID == "i" && event.screen == "home")
            #expect(record.key == "i")
        }
    }

    @Test func `a body cannot add attributes to an event in binary mode`() async throws {
        try await RunningCollector.with { collector in
            let headers = [
                "Content-Type: application/json", "Authorization: Bearer \(secret)", "ce-specversion: 1.0", "ce-id: 1",
                "ce-source: app://com.example.shop", "ce-type: screen_view", "ce-time: 2026-03-01T10:00:00Z",
            ]
            let answer = try await post(collector, #"\#(Self.data),"source":"app://another""#, headers)
            #expect(answer.status == 400)
            #expect(try collector.records().isEmpty)
        }
    }

    @Test func `data in base64 is read as data, and a source that the key does not allow stays refused`() async throws {
        try await RunningCollector.with { collector in
            // The text of `data`, encoded.
            let encoded = "eyJpbnN0YWxsX2lkIjoiaSIsInNjcmVlbiI6ImhvbWUifQ=="
            func event(_ source: String) -> String {
                #"{"specversion":"1.0","id":"1","source":"\#(source)","type":"t","time":"2026-03-01T10:00:00Z","#
                    + #""data_base64":"\#(encoded)"}"#
            }
            let answer = try await collector.post("[\(event("app://com.example.shop")),\(event("app://another"))]")
            #expect(answer.body.contains(#""status":"accepted""#) && answer.body.contains("source_not_allowed"))
            let records = try collector.records()
            #expect(records.count == 1)
            #expect(try Event(json: try #require(records.first).value).screen == "home")
        }
    }
}
