import EventTracking
import FlowEvents
import FlowTestSupport
import Foundation
import HTTPSink
import RDKafka
import Synchronization
import KafkaTestSupport
import Testing

/// The way of an app's events over HTTP: its sink, the built collector, the broker, and back.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct CollectorRoundTripTests {
    private let pipeline: Pipeline

    init() throws {
        pipeline = try Pipeline(partitions: 1)
    }

    private func sink(_ collector: CollectorProcess, compresses: Bool = true) -> EventSink {
        .http(
            HTTPSinkConfiguration(
                url: collector.client.events,
                writeKey: CollectorProcess.secret,
                compresses: compresses
            )
        )
    }

    private static func event(
        _ id: String,
        source: String = CollectorProcess.source,
        time: Timestamp = Timestamp(milliseconds: 1_770_000_000_000),
        text: String = "ü\"\\,"
    ) throws -> EncodedEvent {
        let event = Event(
            id: id,
            source: source,
            type: "screen_view",
            time: time,
            installID: "install",
            properties: ["text": .string(text)]
        )
        return EncodedEvent(id: id, key: "install", value: try event.encoded())
    }

    /// The values in the topic, in their order.
    private func values() async throws -> [[UInt8]] {
        try await pipeline.deadLetters(in: Pipeline.topic).map { $0.value ?? [] }
    }

    @Test func `what the sink was told is delivered stands in the topic, in order and byte for byte`() async throws {
        let collector = try await CollectorProcess.start(pipeline)
        let sink = sink(collector)
        let events = try (0..<700).map { try Self.event("e\($0)") }
        for start in stride(from: 0, to: events.count, by: 100) {
            let outcomes = await sink.submit(Array(events[start..<start + 100])).outcomes()
            #expect(outcomes.allSatisfy { $0 == .delivered })
        }
        await sink.shutdown()
        #expect(try await values() == events.map(\.value))
        #expect(collector.command.isRunning)
    }

    @Test func `an event that is not taken is rejected alone, with its reason`() async throws {
        let collector = try await CollectorProcess.start(pipeline)
        let sink = sink(collector)
        let future = Timestamp(milliseconds: Timestamp.now.milliseconds + 48 * 3_600_000)
        let events = [
            try Self.event("1"), try Self.event("2", source: "app://another"), try Self.event("3", time: future),
            EncodedEvent(id: "4", key: "", value: Array(#"{"specversion":"1.0","id":"4"}"#.utf8)), try Self.event("5"),
        ]
        let codes = await sink.submit(events).outcomes().map { outcome in
            if case .rejected(let failure) = outcome { failure.code } else { "\(outcome)" }
        }
        #expect(codes == ["delivered", "source_not_allowed", "future_time", "missing_field", "delivered"])
        #expect(try await values() == [events[0].value, events[4].value])
        #expect(collector.command.isRunning)
    }

    @Test func `what is compressed gets through where it would be too large as it is`() async throws {
        let collector = try await CollectorProcess.start(pipeline, settings: "limits: {body_bytes: 10000}")
        let event = try Self.event("1", text: String(repeating: "text ", count: 10_000))
        #expect(await sink(collector).submit([event]).outcomes() == [.delivered])
        let plain = await sink(collector, compresses: false).submit([event]).outcomes()
        guard case .rejected(let failure) = plain.first else {
            Issue.record("expected a rejection, found \(plain)")
            return
        }
        #expect(failure.code == "too_large")
        #expect(try await values() == [event.value])
        #expect(collector.command.isRunning)
    }

    @Test func `while Kafka is away events are to be sent again, not before Retry-After, and then get through`()
        async throws
    {
        let collector = try await CollectorProcess.start(pipeline, settings: "timeouts: {publish: 1s}")
        try await collector.client.wait(for: "readyz") { status, _ in status == 200 }
        let sink = sink(collector)
        let events = [try Self.event("1"), try Self.event("2")]
        try pipeline.broker.cutOff()
        let failure = SinkFailure(code: "http_503", detail: "the collector answered 503")
        let retry = EventOutcome.retry(failure, after: .seconds(5))
        #expect(await sink.submit(events).outcomes() == [retry, retry])
        try pipeline.broker.bringUp()
        try await collector.client.wait(for: "readyz") { status, _ in status == 200 }
        // On a busy machine, Kafka may need longer than a second at first. What was answered with 503 may be there as well.
        try await until("both are delivered") { await sink.submit(events).outcomes() == [.delivered, .delivered] }
        #expect(try await values().suffix(2) == events.map(\.value))
        #expect(collector.command.isRunning)
    }

    @Test func `collectors that are killed while an app tracks lose nothing that was acknowledged`() async throws {
        var collector = try await CollectorProcess.start(pipeline)
        let port = try #require(collector.client.address.port)
        let acknowledged = Acknowledged()
        let tracker = Tracker(
            source: CollectorProcess.source,
            identity: .memory(),
            sink: acknowledged.watching(sink(collector)),
            configuration: TrackerConfiguration(
                batching: BatchingConfiguration(
                    maximumBatchCount: 20,
                    maximumAge: .milliseconds(20),
                    backoff: Backoff(base: .milliseconds(20), maximum: .milliseconds(200))
                )
            )
        )
        for round in 1...4 {
            for number in 0..<100 { tracker.track(EventDraft(type: "event-\(round)-\(number)")) }
            // Whatever it is doing: reading, waiting for Kafka, or answering.
            try await until("some of it was answered") { tracker.statistics.delivered >= (round - 1) * 100 + 20 }
            collector.command.send(SIGKILL)
            _ = try await collector.command.end()
            collector = try await CollectorProcess.start(pipeline, port: port)
        }
        let report = await tracker.shutdown(deadline: patience)
        #expect(report.isComplete && report.statistics.delivered == 400, "\(report)")
        let values = try await values()
        #expect(Set(values) == acknowledged.values)
        #expect(acknowledged.values.count == 400)
        #expect(try await pipeline.count().status == 0)
        let quality = try await pipeline.jsonReport().quality
        #expect(quality.events == values.count && quality.dead_letters == 0)
    }
}

/// The values of the events that a sink said it has delivered.
private final class Acknowledged: Sendable {
    private let state = Mutex<Set<[UInt8]>>([])

    var values: Set<[UInt8]> { state.withLock { $0 } }

    func watching(_ sink: EventSink) -> EventSink {
        EventSink(send: { events in
            let outcomes = await sink.submit(events).outcomes()
            self.state.withLock { state in
                for (event, outcome) in zip(events, outcomes) where outcome == .delivered { state.insert(event.value) }
            }
            return outcomes
        })
    }
}
