import EventTracking
import FlowEvents
import FlowTestSupport
import RDKafka
import Testing

@testable import EventCollector
@testable import KafkaSink

/// The reasons for rejecting an event.
@Suite(.waits, .timeLimit(.minutes(10))) struct RejectionTests {
    private static let events = [
        "not_cloudevents": "17",
        "missing_field": #"{"specversion":"1.0","id":"1"}"#,
        "invalid_field": eventText("1").replacing("screen_view\"", with: "\""),
        "future_time": eventText("1").replacing("2026-03-01", with: "9998-03-01"),
        "too_large": eventText("1", extra: #","properties":{"x":"\#(String(repeating: "x", count: 1_048_576))"}"#),
        "source_not_allowed": eventText("1", source: "app://another"),
    ]

    @Test func `the documented reasons are exactly the possible ones`() async throws {
        let documented = try ProtocolArticle.table(after: "| reason | when |").map { $0[0] }
        let answers = EventOutcome.rejections.map(\.name)
        #expect(Set(documented) == Set(Self.events.keys).union(answers))
        #expect(Set(documented).count == documented.count)
        // All reasons of dead letters except the one that refuses the whole body.
        let reasons = Set(DeadLetterReason.allCases.map(\.rawValue)).subtracting([DeadLetterReason.notJSON.rawValue])
        #expect(Set(Self.events.keys) == reasons.union([Rejection.foreignSource.reason]))
        try await RunningCollector.with { collector in
            for (reason, event) in Self.events {
                let body = gzip(Array("[\(event)]".utf8))
                let answer = try await collector.post(body, ["-H", "Content-Encoding: gzip"])
                #expect(try answer.results().first?.hasSuffix(" rejected \(reason)") == true, "\(answer.body)")
            }
            for code in EventOutcome.rejections where code != .invalidArgument {
                // An event that is refused for its size is sent again alone.
                let times = code.isAboutSize ? 2 : 1
                collector.broker.fail(.produce, with: [KafkaError.Code](repeating: code, count: times))
                let answer = try await collector.post("[\(eventText("1"))]")
                #expect(try answer.results() == ["1 rejected \(code.name)"])
                #expect(!answer.body.contains("127.0.0.1"))
            }
        }
    }

    @Test func `an event of one mebibyte is accepted`() async throws {
        try await RunningCollector.with { collector in
            let empty = eventText("1", extra: #","properties":{"x":""}"#).utf8.count
            let filling = String(repeating: "x", count: 1_048_576 - empty)
            let body = gzip(Array("[\(eventText("1", extra: #","properties":{"x":"\#(filling)"}"#))]".utf8))
            let answer = try await collector.post(body, ["-H", "Content-Encoding: gzip"])
            #expect(try answer.results() == ["1 accepted"])
            #expect(try collector.records().first?.value.count == 1_048_576)
        }
    }
}
