import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import RDKafka
import Testing

@testable import FunnelConsumer

@Suite(.waits, .timeLimit(.minutes(10))) struct DeadLetterTests {
    private let cluster: Cluster
    private let store = TemporaryStore()

    init() throws {
        cluster = try Cluster(partitions: 2)
    }

    @Test func `a dead letter has key, value and headers as they came, and says why and from where`() async throws {
        let headers = [
            KafkaHeader("content-type", "application/cloudevents+json"), KafkaHeader("twice", "1"),
            KafkaHeader("twice", bytes: [0, 0xFF]), KafkaHeader("none", bytes: nil),
        ]
        let (key, value): ([UInt8], [UInt8]) = ([0x6B, 0, 0xFF], [0xC3, 0x28, 0])
        try await cluster.publish([try message(screenView("home", "a", second: 0), partition: 1)])
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

    @Test func `a record that is too large even without its value goes with a part of its key and headers`()
        async throws
    {
        let key = [UInt8](repeating: 0x6B, count: 300_000)
        let headers = [KafkaHeader("first", "1"), KafkaHeader("long", String(repeating: "h", count: 300_000))]
        try await cluster.publish([
            ProducerMessage(key: key, value: Array("no event".utf8), headers: headers, partition: 0)
        ])
        // The batch, the record alone, the record without its value, and with a quarter of its key and headers.
        cluster.broker.fail(.produce, with: Array(repeating: .messageTooLarge, count: 4))
        try await cluster.count(homeToPaywall(), into: store)
        let letter = try #require(try await cluster.deadLetters().first)
        let kept = (300_000 + "first1".utf8.count + "long".utf8.count + 300_000) / 4 / 4
        #expect(letter.key == Array(key.prefix(kept)) && letter.value == nil)
        #expect(letter["first"] == nil && letter["long"] == nil)
        #expect(letter["dlq.size"] == "8" && letter["dlq.reason"] == "not_json" && letter["dlq.offset"] == "0")
        #expect(letter["dlq.truncated"] == "key: \(kept) of 300000 bytes; headers: 0 of 2, 0 of 300010 bytes")
        #expect(try store.nextOffset() == 1)
    }

    @Test(arguments: [0, 1, 10, 40, 100, 1000])
    func `a shortened letter keeps its key first, then its headers in order, and says what is missing`(limit: Int) {
        let headers = [
            KafkaHeader("a", "1"), KafkaHeader("none", bytes: nil), KafkaHeader("b", String(repeating: "b", count: 50)),
        ]
        let reasons = [
            KafkaHeader("dlq.reason", "not_json"), KafkaHeader("dlq.detail", String(repeating: "d", count: 900)),
        ]
        let key = [UInt8](repeating: 1, count: 20)
        let letter = DeadLetter(key: key, value: [1], valueCount: 1, headers: headers, reasons: reasons)
        let message = letter.message(keeping: limit)
        #expect(message.value == nil && message.key == Array(key.prefix(limit)))
        let own = message.headers.filter { !$0.name.hasPrefix("dlq.") }
        let byteCount = own.reduce(message.key?.count ?? 0) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
        #expect(byteCount <= limit)
        #expect(zip(own, headers).allSatisfy { $0.name == $1.name })
        #expect(own.count == (limit < 40 ? 0 : 3))
        #expect(
            message.headers.contains { $0.name == "dlq.truncated" }
                && message.headers.contains { $0.name == "dlq.size" }
        )
        let detail = message.headers.first { $0.name == "dlq.detail" }?.value?.count
        #expect(detail == (limit < 900 ? 256 : 900))
    }

    @Test func `a topic that accepts no letter at all ends the run, and names the topic`() async throws {
        try await cluster.publish([message("no event")])
        cluster.broker.fail(.produce, with: Array(repeating: .messageTooLarge, count: 20))
        let error = try await #require(throws: FunnelConsumerError.self) {
            try await cluster.count(homeToPaywall(), into: store)
        }
        #expect(error.code == .deadLetterTopic && error.description.contains("app-events.dlq"))
        #expect(try store.nextOffset() == 0)
    }

    @Test func `a value above the limit is not copied, and its size is in the letter`() {
        let letter = DeadLetter(key: [1], value: nil, valueCount: DeadLetter.valueLimit + 1, headers: [], reasons: [])
        #expect(letter.message.value == nil)
        #expect(letter.message.headers.contains(KafkaHeader("dlq.size", "100000001")))
        #expect(letter.byteCount < 1000)
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
        try await cluster.publish([try message(screenView("home", "a", second: 0)), message("no event")])
        cluster.broker.fail(.produce, with: [.topicAuthorizationFailed])
        let error = try await #require(throws: FunnelConsumerError.self) {
            try await cluster.count(homeToPaywall(), into: store)
        }
        #expect(error.description.contains("app-events.dlq") && error.description.contains("Nothing was committed"))
        // On a busy machine it may have committed that it begins at offset 0.
        #expect(try store.progress().allSatisfy { $0.nextOffset == 0 })

        try await cluster.count(homeToPaywall(), into: store)
        #expect(try store.nextOffset() == 2)
        #expect(try await cluster.deadLetters().map { $0["dlq.offset"] } == ["1"])
    }
}
