import EventTracking
import FlowEvents
import FlowTestSupport
import RDKafka
import KafkaSink
import Synchronization
import Testing

/// A fatal error ends an idempotent producer, but not the sink.
@Suite(.waits, .timeLimit(.minutes(10))) struct FatalErrorTests {
    /// The broker's answer to a producer that may not be idempotent. librdkafka treats it as fatal.
    private let forbidden = KafkaError.Code(rawValue: 31)

    @Test func `a fatal error at the start loses no event`() async throws {
        let broker = try EmbeddedBroker.withTopic(partitions: 1)
        broker.fail(.initProducerID, with: [forbidden])
        try await deliverAll(100, through: broker.sink(), of: broker)
    }

    @Test func `a fatal error between batches neither loses nor repeats an event`() async throws {
        let broker = try EmbeddedBroker.withTopic(partitions: 1)
        // With this guarantee a refusal is fatal, because it leaves a gap in the sequence.
        let sink = try broker.sink(["enable.gapless.guarantee": "true"])
        #expect(try await sink.submit(events(0..<1, of: "first")).outcomes() == [.delivered])
        broker.fail(.produce, with: [.topicAuthorizationFailed])
        try await deliverAll(100, through: sink, of: broker, besides: 1)
    }

    @Test func `repeated fatal errors make the waits longer`() async throws {
        let broker = try EmbeddedBroker.withTopic(partitions: 1)
        broker.fail(.initProducerID, with: Array(repeating: forbidden, count: 1000))
        let sink = try broker.sink(closingWithin: .milliseconds(100))
        var longest = Duration.zero
        var count = 0
        let deadline = ContinuousClock.now + patience
        while longest < .milliseconds(500), ContinuousClock.now < deadline {
            count += 1
            let outcomes = try await sink.submit(events(0..<1)).outcomes()
            guard case .retry(_, let wait) = outcomes.first else {
                Issue.record("not to be retried: \(outcomes)")
                return
            }
            longest = max(longest, wait ?? .zero)
            // For the time that the sink returned, because it uses the real clock.
            if let wait { try await Task.sleep(for: wait) }
        }
        #expect(longest >= .milliseconds(500) && count < 100)
        broker.clearFailures(of: .initProducerID)
        try await deliverAll(10, through: sink, of: broker)
    }

    @Test func `a shutdown while a producer is replaced closes both producers`() async throws {
        let broker = try EmbeddedBroker.withTopic(partitions: 1)
        broker.fail(.initProducerID, with: [forbidden])
        let closings = Mutex(0)
        let sink = try broker.sink { _ in closings.withLock { $0 += 1 } }
        var isBroken = false
        while !isBroken {
            let outcomes = try await sink.submit(events(0..<1)).outcomes()
            guard case .retry(let failure, after: _) = outcomes.first else {
                Issue.record("not to be retried: \(outcomes)")
                return
            }
            isBroken = failure.code == "CLUSTER_AUTHORIZATION_FAILED"
        }
        async let late = sink.submit(events(1..<2)).outcomes()
        await sink.shutdown()
        #expect(try await late.count == 1)
        #expect(closings.withLock { $0 } == 1)
    }

    /// Tracks events, and expects each of them once in the topic.
    private func deliverAll(
        _ count: Int,
        through sink: EventSink,
        of broker: EmbeddedBroker,
        besides others: Int = 0
    ) async throws {
        let tracker = tracker("install", sink: sink)
        for number in 0..<count { tracker.track(EventDraft(type: "t\(number)")) }
        let report = await tracker.shutdown(deadline: .seconds(60))
        #expect(report.isComplete && report.statistics.delivered == count && report.statistics.dropped.isEmpty)
        await sink.shutdown()
        let events = try await broker.records(count + others, partitions: 1).map { try Event(json: $0.value) }
        let sequences = events.filter { $0.installID == "install" && $0.type != "test" }.compactMap(\.sequence)
        #expect(sequences.sorted() == (0..<Int64(count)).map { $0 })
    }
}
