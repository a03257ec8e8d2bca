import FlowTestSupport
import Foundation
import RDKafka
import Testing

/// Tests invalid records, each between two valid ones: none stops the consumer or affects the valid records.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct BadRecordTests {
    private let pipeline: Pipeline

    init() throws {
        pipeline = try Pipeline()
    }

    private func json(_ screen: String, second: Int, changing: (inout [String: Any]) -> Void = { _ in }) throws
        -> [UInt8]
    {
        // `Any`, because the test publishes values of wrong types.
        var event: [String: Any] = [
            "specversion": "1.0", "id": "\(screen)-\(second)", "source": "app://test", "type": "screen_view",
            "time": "2026-03-02T00:00:0\(second)Z", "data": ["install_id": "i", "screen": screen, "session_id": "s"],
        ]
        changing(&event)
        return Array(try JSONSerialization.data(withJSONObject: event))
    }

    private func message(_ value: [UInt8]?) -> ProducerMessage {
        ProducerMessage(key: Array("i".utf8), value: value, headers: [KafkaHeader("trace", "7")])
    }

    /// Publishes home, the record and the paywall, and counts them.
    private func count(_ record: [UInt8]?) async throws -> Report {
        try await pipeline.publish([
            message(try json("home", second: 1)), message(record), message(try json("paywall", second: 3)),
        ])
        let outcome = try await pipeline.count()
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.errors)")
        return try await pipeline.jsonReport()
    }

    private func expectDeadLetter(
        _ record: [UInt8]?,
        _ reason: String,
        naming: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let report = try await count(record)
        #expect(report.counts("paywall-to-purchase") == [1, 0], sourceLocation: sourceLocation)
        #expect(report.quality.events == 2 && report.quality.dead_letters == 1, sourceLocation: sourceLocation)
        let letters = try await pipeline.deadLetters()
        let letter = try #require(letters.first, sourceLocation: sourceLocation)
        #expect(letters.count == 1, sourceLocation: sourceLocation)
        #expect(letter.key == Array("i".utf8) && letter["trace"] == "7", sourceLocation: sourceLocation)
        #expect(letter.value == record, sourceLocation: sourceLocation)
        #expect(letter["dlq.reason"] == reason, sourceLocation: sourceLocation)
        #expect(
            letter["dlq.detail"]?.contains(naming) == true,
            "\(letter["dlq.detail"] ?? "")",
            sourceLocation: sourceLocation
        )
        #expect(letter["dlq.topic"] == Pipeline.topic, sourceLocation: sourceLocation)
        #expect(letter["dlq.partition"] == "0" && letter["dlq.offset"] == "1", sourceLocation: sourceLocation)
    }

    @Test func `not JSON`() async throws {
        try await expectDeadLetter(Array("hello".utf8), "not_json", naming: "byte 0")
    }

    @Test func `nothing at all`() async throws {
        try await expectDeadLetter(nil, "not_json", naming: "empty")
    }

    @Test func `not CloudEvents`() async throws {
        let record = try json("home", second: 2) { $0["specversion"] = "0.3" }
        try await expectDeadLetter(record, "not_cloudevents", naming: "specversion")
    }

    @Test func `a missing field`() async throws {
        let record = try json("home", second: 2) { $0["data"] = ["screen": "home"] }
        try await expectDeadLetter(record, "missing_field", naming: "data.install_id")
    }

    @Test func `a wrong type`() async throws {
        let record = try json("home", second: 2) { $0["time"] = 17 }
        try await expectDeadLetter(record, "invalid_field", naming: "time")
    }

    @Test func `an event from the year 2100`() async throws {
        let record = try json("home", second: 2) { $0["time"] = "2100-01-01T00:00:00Z" }
        try await expectDeadLetter(record, "future_time", naming: "time")
    }

    @Test func `a record of 2 MiB`() async throws {
        let record = try json("home", second: 2) { $0["padding"] = String(repeating: "x", count: 2 * 1024 * 1024) }
        try await expectDeadLetter(record, "too_large", naming: "1048576")
    }

    @Test func `invalid UTF-8`() async throws {
        let record = Array(#"{"specversion":"1.0","id":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
        try await expectDeadLetter(record, "not_json", naming: "UTF-8")
    }

    @Test func `an event of an unknown type is valid and belongs to no funnel`() async throws {
        let report = try await count(try json("home", second: 2) { $0["type"] = "com.example.unheard-of" })
        #expect(report.quality.events == 3 && report.quality.dead_letters == 0 && report.quality.duplicates == 0)
        #expect(report.counts("paywall-to-purchase") == [1, 0])
        #expect(try await pipeline.deadLetters().isEmpty)
    }
}
