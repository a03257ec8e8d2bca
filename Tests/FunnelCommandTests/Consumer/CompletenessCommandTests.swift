import FlowEvents
import FlowTestSupport
import Foundation
import RDKafka
import Testing

/// What was lost, through a broker and the built commands.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct CompletenessCommandTests {
    /// An event of one of two installs, which take turns, so that each has half the number.
    private func message(
        _ number: Int64,
        type: String = "tick",
        _ properties: [String: PropertyValue] = [:]
    ) throws -> ProducerMessage {
        let event = Event(
            id: "event-\(number)",
            source: "app://test",
            type: type,
            time: Timestamp(milliseconds: 1_772_323_200_000 + number * 1000),
            installID: "install-\(number % 2)",
            sequence: number / 2,
            properties: properties
        )
        return ProducerMessage(
            key: Array(event.installID.utf8),
            value: try event.encoded(),
            // A machine whose clock stands before the event would find it in the future.
            timestamp: event.time.milliseconds
        )
    }

    /// What the report says of its completeness, as JSON and as lines of the table.
    private func report(_ pipeline: Pipeline) async throws -> (quality: [String: Int], lines: [String]) {
        let json = try await pipeline.report("--format", "json").output
        let report = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary)
        let quality = try #require(report["quality"] as? NSDictionary)
        var counts: [String: Int] = [:]
        for key in ["events", "expected", "missing", "unread"] { counts[key] = (quality[key] as? NSNumber)?.intValue }
        let table = try await pipeline.report().output
        return (counts, table.split(separator: "\n").map(String.init))
    }

    @Test func `gaps are missing until what fills them comes, and drops that were told explain them`() async throws {
        let pipeline = try Pipeline(partitions: 3)
        // None matches a funnel. Each third is lost, the very first of the second install, too: nobody can know of that.
        try await pipeline.publish(try (0..<40).filter { $0 % 3 != 1 }.map { try message($0) })
        #expect(try await pipeline.count().status == 0)
        var (quality, lines) = try await report(pipeline)
        #expect(quality == ["events": 27, "expected": 39, "missing": 12, "unread": 0])
        #expect(lines.contains("39 expected by their numbers: 27 received, 12 missing"))

        let notice = try message(41, type: "events_dropped", ["reason": "queue_full", "count": 3])
        try await pipeline.publish([notice, notice, try message(4)])
        #expect(try await pipeline.count().status == 0)
        (quality, lines) = try await report(pipeline)
        #expect(quality == ["events": 30, "expected": 40, "missing": 11, "unread": 0])
        #expect(lines.contains("of the missing, the apps dropped 3 (queue full); 8 not explained"))
        let json = try await pipeline.report("--format", "json").output
        #expect(json.contains("\"dropped\": {\n   \"queue_full\": 3\n  }"))
    }
}
