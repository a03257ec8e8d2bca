import FlowEvents
import FlowTestSupport
import FunnelStore
import Funnels
import RDKafka
import Testing

@testable import FunnelConsumer

@Suite(.waits, .timeLimit(.minutes(10))) struct DeadLetterTests {
    private let cluster: Cluster
    private let store = MemoryFunnelStore()

    init() throws {
        cluster = try Cluster(partitions: 2)
    }

    @Test func `a dead letter has key, value and headers as they came, and says why and from where`() async throws {
        let headers = [
            KafkaHeader("content-type", "application/cloudevents+json"), KafkaHeader("twice", "1"),
            KafkaHeader("twice", bytes: [0, 0xFF]), KafkaHeader("none", bytes: nil),
        ]
        let (key, value): ([UInt8], [UInt8]) = ([0x6B, 0, 0xFF], [0xC3, 0x28, 0])
        try await cluster.publish([try message(view("home", "a", second: 0), partition: 1)])
        try await cluster.publish([ProducerMessage(key: key, value: value, headers: headers, partition: 1)])
        try await cluster.count(homeToPaywall(), into: store)
        let letters = try await cluster.deadLetters()
        let letter = try #require(letters.first)
        #expect(letters.count == 1)
        #expect(letter.key == key && letter.value == value)
        #expect(Array(letter.headers.prefix(4)) == headers)
        let names = ["dlq.reason", "dlq.detail", "dlq.topic", "dlq.partition", "dlq.offset"]
        #expect(letter.headers.dropFirst(4).map(\.name) == names)
        #expect(letter["dlq.reason"] == "not_json" && letter["dlq.detail"]?.isEmpty == false)
        #expect(letter["dlq.topic"] == "app-events")
        #expect(letter["dlq.partition"] == "1" && letter["dlq.offset"] == "1")
    }

    @Test func `a record without a key or a value is a dead letter without them`() async throws {
        try await cluster.publish([ProducerMessage(value: nil, partition: 0)])
        try await cluster.count(homeToPaywall(), into: store)
        let letter = try #require(try await cluster.deadLetters().first)
        #expect(letter.key == nil && letter.value == nil && letter["dlq.reason"] == "not_json")
        #expect(try store.report().quality == Quality(deadLetters: 1))
    }

    @Test func `a record that the topic refuses for its size goes without its value`() async throws {
        try await cluster.publish([message("too much for it")])
        cluster.broker.fail(.produce, with: [.messageTooLarge, .messageTooLarge])
        try await cluster.count(homeToPaywall(), into: store)
        let letter = try #require(try await cluster.deadLetters().first)
        #expect(letter.key == Array("k".utf8) && letter.value == nil)
        #expect(letter["dlq.size"] == "15" && letter["dlq.reason"] == "not_json")
        #expect(try store.nextOffset() == 1)
    }

    @Test func `records that only together are too large for the topic keep their values`() async throws {
        try await cluster.publish((0..<5).map { message("letter \($0)") })
        // A broker's answer to a batch over the topic's `max.message.bytes`, even if each record is small.
        cluster.broker.fail(.produce, with: [.messageTooLarge])
        try await cluster.count(homeToPaywall(), into: store)
        let letters = try await cluster.deadLetters()
        let values = letters.compactMap(\.value).map { String(decoding: $0, as: UTF8.self) }
        #expect(Set(values) == Set((0..<5).map { "letter \($0)" }))
        #expect(letters.allSatisfy { $0["dlq.size"] == nil })
    }

    @Test func `nothing is committed past a dead letter that Kafka does not have`() async throws {
        try await cluster.publish([try message(view("home", "a", second: 0)), message("no event")])
        cluster.broker.fail(.produce, with: [.topicAuthorizationFailed])
        let error = try await #require(throws: FunnelConsumerError.self) {
            try await cluster.count(homeToPaywall(), into: store)
        }
        #expect(error.description.contains("app-events.dlq") && error.description.contains("Nothing was committed"))
        #expect(try store.progress().isEmpty)

        try await cluster.count(homeToPaywall(), into: store)
        #expect(try store.nextOffset() == 2)
        #expect(try await cluster.deadLetters().map { $0["dlq.offset"] } == ["1"])
    }
}
