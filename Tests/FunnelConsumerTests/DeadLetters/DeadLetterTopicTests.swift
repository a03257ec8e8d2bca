import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import RDKafka
import Testing

@testable import FunnelConsumer

@Suite(.waits, .timeLimit(.minutes(10))) struct DeadLetterTopicTests {
    private let cluster: Cluster
    private let store = TemporaryStore()

    init() throws {
        cluster = try Cluster()
    }

    private var topic: DeadLetterTopic {
        DeadLetterTopic(kafka: cluster.configuration, topic: Cluster.deadLetterTopic, logger: silent)
    }

    private func letters() async throws -> [DeadLetterRecord] {
        let topic = topic
        return try await onThread {
            var letters: [DeadLetterRecord] = []
            try topic.forEach { letters.append($0) }
            return letters
        }
    }

    @Test func `a topic without letters, or none at all, has none`() async throws {
        #expect(try await letters().isEmpty)
        let missing = DeadLetterTopic(kafka: cluster.configuration, topic: "missing", logger: silent)
        let exists = try await onThread {
            try missing.forEach { _ in Issue.record("a letter of a topic that does not exist") }
        }
        #expect(!exists)
        #expect(try await onThread { try missing.letter(partition: 0, offset: 0) } == nil)
    }

    @Test func `letters are listed with reason and origin, and one is had by its place`() async throws {
        try await cluster.publish([message("no event"), message("{}")])
        try await cluster.count(homeToPaywall(), into: store)
        let letters = try await letters()
        #expect(letters.map { $0.header("reason") } == ["not_json", "not_cloudevents"])
        #expect(letters.map { $0.header("offset") } == ["0", "1"])
        let topic = topic
        #expect(try await onThread { try topic.letter(partition: 0, offset: 1) } == letters[1])
        #expect(try await onThread { try topic.letter(partition: 0, offset: 2) } == nil)
        #expect(try await onThread { try topic.letter(partition: 7, offset: 0) } == nil)
    }

    @Test func `a mended letter is sent back and counts`() async throws {
        let (trace, binary) = (KafkaHeader("trace", "1"), KafkaHeader("Content-Type", "application/json"))
        let headers = [trace, binary, KafkaHeader("ce_id", "5")]
        try await cluster.publish([ProducerMessage(key: [0xFF], value: Array("no event".utf8), headers: headers)])
        try await cluster.count(homeToPaywall(), into: store)
        let letter = try #require(try await letters().first)
        let event = screenView("home", "a", second: 0)
        let message = try letter.message(mended: event.encoded(), now: event.time)
        let structured = KafkaHeader("content-type", "application/cloudevents+json; charset=UTF-8")
        #expect(message.key == Array("a".utf8) && message.headers == [trace, structured])
        _ = try await topic.resend(message, to: Cluster.topic)
        try await cluster.count(homeToPaywall(), into: store)
        let report = try store.report()
        #expect(report.quality == Quality(events: 1, deadLetters: 1))
    }

    @Test func `what is still no valid event is not sent`() async throws {
        try await cluster.publish([message("no event")])
        try await cluster.count(homeToPaywall(), into: store)
        let letter = try #require(try await letters().first)
        let now = Timestamp(milliseconds: 0)
        let unmended = #expect(throws: EventViolation.self) { try letter.message(mended: nil, now: now) }
        #expect(unmended?.reason == .notJSON)
        let early = try screenView("home", "a", second: 0).encoded()
        let future = #expect(throws: EventViolation.self) { try letter.message(mended: early, now: now) }
        #expect(future?.reason == .futureTime)
    }
}
