import EventTracking
import FlowEvents
import FlowTestSupport
import Foundation
import HTTPSink
import KafkaTestSupport
import RDKafka
import Synchronization
import Testing

/// Public bug reports about other pipelines, tried on the built programs. The article *How it is tested* lists them.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct PublicPipelineReportTests {
    private let pipeline: Pipeline

    init() throws {
        pipeline = try Pipeline(partitions: 1)
    }

    private static func body(_ id: String, padding: Int = 0) -> String {
        """
        {"specversion":"1.0","id":"\(id)","source":"\(CollectorProcess.source)","type":"screen_view",\
        "time":"2026-11-20T10:00:00Z","partitionkey":"i1","data":{"install_id":"i1","screen":"home",\
        "note":"\(String(repeating: "x", count: padding))"}}
        """
    }

    private func publish(_ ids: String...) async throws {
        try await pipeline.publish(ids.map { ProducerMessage(value: Array(Self.body($0).utf8)) })
    }

    private func ids(in topic: String = Pipeline.topic) async throws -> [String] {
        try await pipeline.deadLetters(in: topic).compactMap { letter in
            let text = letter.value.map { String(decoding: $0, as: UTF8.self) } ?? ""
            return text.firstMatch(of: /"id":"([^"]+)"/).map { String($0.1) }
        }
    }

    @Test(
        .bug("https://github.com/vectordotdev/vector/issues/24543"),
        .bug("https://github.com/vectordotdev/vector/issues/24215")
    )
    func `what the target refuses is read again, also where events follow that need no target`() async throws {
        try await publish("1")
        try await pipeline.publish([ProducerMessage(value: Array("no event".utf8))])
        // No funnel needs it.
        let other = Self.body("2").replacingOccurrences(of: "screen_view", with: "heartbeat")
        try await pipeline.publish([ProducerMessage(value: Array(other.utf8))])
        pipeline.broker.fail(.produce, with: [.topicAuthorizationFailed])
        let refused = try await pipeline.count()
        #expect(refused.status == 69 && refused.errors.contains("app-events.dlq"), "\(refused.errors)")
        #expect(try await pipeline.count().status == 0)
        let quality = try await pipeline.jsonReport().quality
        #expect(quality.events == 2 && quality.dead_letters == 1 && quality.duplicates == 0)
        #expect(try await pipeline.deadLetters().compactMap(\.value) == [Array("no event".utf8)])
    }

    @Test(.bug("https://github.com/vectordotdev/vector/issues/25746"))
    func `a topic that is away and comes back needs no new start of the collector`() async throws {
        let collector = try await CollectorProcess.start(pipeline, settings: "timeouts: {publish: 1s}")
        #expect(try await collector.client.post("[\(Self.body("1"))]").status == 200)
        for error in [KafkaError.Code.unknownTopicOrPartition, .topicAuthorizationFailed] {
            pipeline.broker.fail(.produce, with: Array(repeating: error, count: 3))
            var statuses: [Int] = []
            try await until("it is taken again: \(statuses)") {
                statuses.append(try await collector.client.post("[\(Self.body("\(error)"))]").status)
                return statuses.last == 200
            }
            // No event is rejected for good because a topic is away.
            #expect(statuses.allSatisfy { $0 == 200 || $0 == 503 }, "\(error): \(statuses)")
        }
        #expect(try await Set(ids()).isSuperset(of: ["1"]))
    }

    @Test(
        .bug("https://github.com/vectordotdev/vector/issues/24193"),
        .bug("https://github.com/vectordotdev/vector/issues/13714")
    )
    func `what the collector has confirmed survives a broker that bounces`() async throws {
        let collector = try await CollectorProcess.start(pipeline, settings: "timeouts: {publish: 1s}")
        let client = collector.client
        let confirmed = Confirmed()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for worker in 0..<4 {
                tasks.addTask {
                    for number in 0..<40 {
                        let id = "\(worker)-\(number)"
                        try await until("\(id) is taken") {
                            try await client.post("[\(Self.body(id))]").status == 200
                        }
                        confirmed.add(id)
                    }
                }
            }
            tasks.addTask { [broker = pipeline.broker] in
                for bounce in 1...3 {
                    try await until("some are taken") { confirmed.ids.count >= bounce * 30 }
                    try broker.cutOff()
                    try broker.bringUp()
                }
            }
            try await tasks.waitForAll()
        }
        let missing = try await confirmed.ids.subtracting(ids())
        #expect(missing == [])
    }

    @Test(.bug("https://github.com/redpanda-data/connect/issues/919"))
    func `a consumer goes on by itself when the brokers are back`() async throws {
        try pipeline.writeFastSettings()
        try await publish("1")
        let consumer = try pipeline.consumer("--metrics-port", "0")
        func waitForEvents(_ count: Int) async throws {
            try await until("\(count) events are counted: \(consumer.errors)") {
                try #require(consumer.isRunning, "\(consumer.errors)")
                // The store is not there at once.
                let outcome = try await pipeline.report("--format", "json")
                return try outcome.status == 0 && Report(outcome.output).quality.events == count
            }
        }
        try await waitForEvents(1)
        try pipeline.broker.cutOff()
        try await consumer.says("app-events")
        try pipeline.broker.bringUp()
        try await publish("2", "3")
        try await waitForEvents(3)
        consumer.send(SIGTERM)
        #expect(try await consumer.end().status == 0)
    }

    @Test(.bug("https://github.com/snowplow/snowplow/issues/1502"))
    func `an event that is too large is said, and the others of its batch are taken`() async throws {
        let collector = try await CollectorProcess.start(
            pipeline,
            settings: "limits: {body_bytes: 4194304, decompressed_bytes: 4194304}"
        )
        let batch = [Self.body("1"), Self.body("2", padding: 1_100_000), Self.body("3")]
        let answer = try await collector.client.post("[\(batch.joined(separator: ","))]")
        #expect(answer.status == 200)
        #expect(answer.body.matches(of: /"status":"accepted"/).count == 2)
        #expect(answer.body.contains(#""status":"rejected","reason":"too_large""#))
        #expect(try await ids() == ["1", "3"])
        // What comes around the collector is a dead letter.
        try await pipeline.publish([ProducerMessage(value: Array(batch[1].utf8))])
        #expect(try await pipeline.count().status == 0)
        let quality = try await pipeline.jsonReport().quality
        #expect(quality.events == 2 && quality.dead_letters == 1)
    }

    @Test(.bug("https://github.com/Countly/countly-sdk-android/issues/33"))
    func `events of one kind keep each its time and its properties`() async throws {
        let collector = try await CollectorProcess.start(pipeline)
        let sink = EventSink.http(
            HTTPSinkConfiguration(url: collector.client.events, writeKey: CollectorProcess.secret)
        )
        let clock = Mutex<Int64>(1_795_170_930_000)
        let tracker = Tracker(
            source: CollectorProcess.source,
            identity: .memory(Identity(installID: "i1")),
            sink: sink,
            now: { clock.withLock { Timestamp(milliseconds: $0) } }
        )
        for number in 0..<20 {
            tracker.track(EventDraft(type: "tap", properties: ["number": .number(PropertyNumber(Double(number)))]))
            clock.withLock { $0 += 7 }
        }
        await tracker.flush()
        _ = await tracker.shutdown(deadline: .seconds(30))
        await sink.shutdown()
        let events = try await pipeline.deadLetters(in: Pipeline.topic).map { try Event(json: $0.value ?? []) }
        #expect(events.map(\.time.milliseconds) == (0..<20).map { 1_795_170_930_000 + 7 * $0 })
        #expect(events.map { $0.properties["number"] } == (0..<20).map { .number(PropertyNumber(Double($0))) })
    }
}

/// The ids of events that were confirmed.
private final class Confirmed: Sendable {
    private let state = Mutex<Set<String>>([])

    var ids: Set<String> { state.withLock { $0 } }

    func add(_ id: String) { state.withLock { _ = $0.insert(id) } }
}
