import Dispatch
import FlowEvents
import FlowTestSupport
import Foundation
import FunnelConsumer
import FunnelStore
import FunnelStoreTestSupport
import FunnelTestSupport
import Funnels
import RDKafka
import Logging
import KafkaTestSupport
import Testing

/// A logger that logs nothing, because tests take brokers down on purpose.
let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// Waits for asynchronous work on a thread that may block, such as the consumer's.
func blocking(_ work: @escaping @Sendable () async -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        await work()
        isDone.signal()
    }
    isDone.wait()
}

/// A broker with a topic of events and one of dead letters.
struct Cluster {
    static let topic = "app-events"
    static let deadLetterTopic = "app-events.dlq"

    let broker: EmbeddedBroker

    init(partitions: Int = 1, brokers: Int = 1) throws {
        broker = try EmbeddedBroker.notInherited(brokers: brokers, logger: silent)
        try broker.createTopic(Self.topic, partitions: partitions)
        try broker.createTopic(Self.deadLetterTopic, partitions: 1)
    }

    /// Properties for fast reconnects, and for a metadata refresh every two seconds.
    ///
    /// The refresh must not coincide with the mock cluster's answer to a join, after three seconds: a leader that gets
    /// the topics' metadata while it asks for them joins again, and waits for three more seconds.
    var configuration: KafkaConfiguration {
        [
            "bootstrap.servers": broker.bootstrapServers, "reconnect.backoff.ms": "20",
            "reconnect.backoff.max.ms": "50", "retry.backoff.ms": "20", "fetch.error.backoff.ms": "20",
            "topic.metadata.refresh.interval.ms": "2000", "session.timeout.ms": "4000",
        ]
    }

    func options(_ funnels: [Funnel], exitsAtEnd: Bool = true) -> FunnelConsumerOptions {
        FunnelConsumerOptions(
            kafka: configuration,
            topic: Self.topic,
            deadLetterTopic: Self.deadLetterTopic,
            groupID: "test",
            funnels: funnels,
            allowedLateness: .seconds(14 * 86_400),
            exitsAtEnd: exitsAtEnd
        )
    }

    /// Publishes records in order.
    func publish(
        _ messages: [ProducerMessage],
        to topic: String = Self.topic,
        _ settings: KafkaConfiguration = [:]
    ) async throws {
        let producer = try Producer(configuration: settings.withDefaults(configuration), logger: silent)
        for result in await producer.send(messages, to: topic) { _ = try result.get() }
        await producer.close(within: patience)
    }

    /// Publishes events to one partition, in order.
    func publish(_ events: [Event], partition: Int32 = 0) async throws {
        try await publish(events.map { try message($0, partition: partition) })
    }

    /// Counts the topic, from its beginning to its end, in a store.
    func count(_ funnels: [Funnel], into store: any FunnelStore, logger: Logger = silent) async throws {
        try await FunnelConsumer(options: options(funnels), store: store, logger: logger).run()
    }

    /// Returns all records of the dead-letter topic.
    func deadLetters() async throws -> [Letter] {
        let configuration = configuration
        return try await onThread {
            let consumer = try Consumer(configuration: configuration, groupID: nil, logger: silent)
            defer { consumer.close() }
            try consumer.assign([
                PartitionStart(TopicPartition(topic: Self.deadLetterTopic, partition: 0), at: .earliest)
            ])
            var letters: [Letter] = []
            let deadline = ContinuousClock.now + patience
            while ContinuousClock.now < deadline {
                let poll = consumer.poll(timeout: .milliseconds(100))
                poll.records.forEach { letters.append(Letter($0)) }
                for case .endOfPartition in poll.events { return letters }
            }
            throw WaitedInVain()
        }
    }
}

/// A record of the dead-letter topic, copied.
struct Letter: Sendable {
    let key: [UInt8]?
    let value: [UInt8]?
    let headers: [KafkaHeader]

    init(_ record: borrowing ConsumerRecord) {
        key = record.key.map { Array($0) }
        value = record.value.map { Array($0) }
        headers = record.headers()
    }

    /// The text of a header.
    subscript(name: String) -> String? {
        headers.first { $0.name == name }?.value.map { String(decoding: $0, as: UTF8.self) }
    }
}

func message(_ event: Event, partition: Int32? = 0) throws -> ProducerMessage {
    ProducerMessage(
        key: Array(event.installID.utf8),
        value: try event.encoded(),
        // Not the machine's time: if its clock is before the event's time, the event would be of the future.
        timestamp: event.time.milliseconds,
        partition: partition
    )
}

func message(_ text: String, partition: Int32? = 0) -> ProducerMessage {
    ProducerMessage(key: Array("k".utf8), value: Array(text.utf8), partition: partition)
}

/// Home, then the paywall, within half an hour.
func homeToPaywall() throws -> [Funnel] {
    [
        try Funnel(
            name: "home-to-paywall",
            window: .seconds(1800),
            steps: [
                Step(name: "home", event: "screen_view", where: ["screen": "home"]),
                Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"]),
            ]
        )
    ]
}

/// The installs that have seen Home.
func visitors() throws -> Funnel {
    try Funnel(
        name: "visitors",
        window: .seconds(60),
        steps: [Step(name: "home", event: "screen_view", where: ["screen": "home"])]
    )
}

/// Any two screens within ten minutes, with the first one as the breakdown.
func screenToScreen() throws -> Funnel {
    try Funnel(
        name: "settings",
        window: .seconds(600),
        breakdown: "screen",
        steps: [Step(name: "any", event: "screen_view"), Step(name: "settings", event: "screen_view")]
    )
}

extension FunnelReading {
    /// Returns the report on all funnels and days.
    func report() throws -> FunnelReport {
        try withSnapshot { try FunnelReport.figures(from: $0, funnels: funnels) }
    }
}

/// The store's progress in the topic of the events.
extension FunnelStore {
    func nextOffset(_ partition: Int32 = 0) throws -> Int64? {
        try progress().first { $0.partition == partition }?.nextOffset
    }

    func eventCount() throws -> Int64 {
        try progress().reduce(0) { $0 + $1.quality.events }
    }
}

extension FunnelStore {
    /// Changes the mark of partition 0, as if its topic had had another record there.
    func forgeMark(_ change: (inout RecordMark) -> Void) throws {
        let progress = try #require(try progress().first)
        var mark = try #require(progress.lastRecord)
        change(&mark)
        let advance = PartitionAdvance(
            partition: 0,
            expectedOffset: progress.nextOffset,
            nextOffset: progress.nextOffset,
            watermark: progress.watermark,
            lastRecord: mark,
            quality: Quality()
        )
        guard case .committed = try commit(StoreCommit(partitions: [advance], installs: [], summary: [])) else {
            throw WaitedInVain()
        }
    }
}
