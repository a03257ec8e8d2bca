import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import RDKafka
import Testing

@testable import FunnelConsumer

/// Tests the counts of missing events with a broker.
@Suite(.waits, .timeLimit(.minutes(10))) struct CompletenessTests {
    private let cluster: Cluster
    private let store = TemporaryStore()

    init() throws {
        cluster = try Cluster(partitions: 2)
    }

    /// Counts the records that the topic has now.
    private func count() async throws {
        try await cluster.count(homeToPaywall(), into: store)
    }

    private func numbered(_ sequence: Int64, _ install: String, second: Int64 = 0, screen: String = "cart") -> Event {
        var event = screenView(screen, install, second: second, id: "\(sequence)")
        event.sequence = sequence
        return event
    }

    private func notice(_ sequence: Int64, _ install: String, _ reason: String, _ count: Double) -> Event {
        var event = numbered(sequence, install)
        event.type = "events_dropped"
        event.properties = ["reason": .string(reason), "count": .number(count)]
        return event
    }

    private func completeness() throws -> Completeness {
        try store.report().quality.completeness
    }

    @Test func `numbers that never came are missing, those of late and repeated events are not`() async throws {
        let day: Int64 = 86_400
        try await cluster.publish([
            numbered(4, "a"), numbered(6, "a", second: 40 * day, screen: "home"), numbered(6, "a", second: 40 * day),
            // Late, and matching; and one without a number.
            numbered(8, "a", second: 1, screen: "home"), screenView("home", "b", second: 40 * day),
        ])
        // The invalid event is missing until a corrected version arrives.
        try await cluster.publish([message("{\"specversion\":\"1.0\"}")])
        try await count()
        #expect(try completeness() == Completeness(expected: 5, missing: 2))
        #expect(try store.report().quality.late == 1)
        // One of them arrives later, in another partition, and an event with a lower number.
        try await cluster.publish([numbered(5, "a", second: 40 * day), numbered(2, "a")], partition: 1)
        try await count()
        #expect(try completeness() == Completeness(expected: 7, missing: 2))
    }

    @Test func `what the app has told to have dropped explains what is missing, once`() async throws {
        try await cluster.publish([
            numbered(0, "a"), notice(10, "a", "queue_full", 4), notice(11, "a", "rejected_too_large", 2),
            notice(12, "a", "invalid_field", 3), notice(10, "a", "queue_full", 4),
            // The first seven were dropped, but they are below the lowest received number.
            notice(7, "b", "expired", 7), numbered(8, "b"),
        ])
        try await count()
        var expected = Completeness(expected: 15, missing: 9, dropped: [.queueFull: 4, .rejected: 2])
        #expect(try completeness() == expected)
        try await cluster.publish([notice(11, "a", "rejected_too_large", 2)] + (1...5).map { numbered($0, "a") })
        try await count()
        expected.missing = 4
        expected.dropped = [.queueFull: 4]
        #expect(try completeness() == expected)
    }

    @Test func `what was deleted from a partition that was empty at first was deleted unread`() async throws {
        try await count()
        let filler = message(String(repeating: "x", count: 700_000))
        // The broker keeps 5 MiB of a partition.
        try await cluster.publish(Array(repeating: filler, count: 12), ["compression.codec": "none"])
        try await count()
        let quality = try store.report().quality
        #expect(quality.unread > 0 && quality.unread + quality.deadLetters == 12)
        // Counted once, even if the consumer starts again.
        try await count()
        #expect(try store.report().quality == quality)
    }

    @Test func `what was deleted before the store was begun was not to be read`() async throws {
        let filler = message(String(repeating: "x", count: 700_000))
        try await cluster.publish(Array(repeating: filler, count: 12), ["compression.codec": "none"])
        try await count()
        let quality = try store.report().quality
        #expect(quality.unread == 0 && quality.deadLetters < 12)
    }
}
