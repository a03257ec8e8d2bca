import EventReader
import FlowEvents
import FunnelConsumer
import FunnelServiceSupport
internal import Funnels
import LiveEvents
internal import Logging
import RDKafka
import ServiceLifecycle
import Synchronization

/// Reads the events of a topic and its dead letters into a feed, as they come.
///
/// It is a Kafka consumer of its own, so what the feed shows has gone all the way to the broker.
final class TopicTail: Service {
    /// The topics to read, each of one partition.
    struct Topics: Sendable {
        var events: String
        var deadLetters: String
    }

    private let kafka: KafkaConfiguration
    private let topics: Topics
    private let feed: LiveFeed
    private let funnels: [Funnel]
    private let screens: KnownScreens
    private let logger: Logger
    private let onRead: @Sendable (Int) -> Void
    private let isStopped = Atomic(false)

    /// - Parameter onRead: called with the number of records of the events' topic that were read since the start.
    init(
        kafka: KafkaConfiguration,
        topics: Topics,
        funnels: [Funnel],
        screens: KnownScreens,
        into feed: LiveFeed,
        logger: Logger,
        onRead: @escaping @Sendable (Int) -> Void
    ) {
        self.kafka = kafka
        self.topics = topics
        self.funnels = funnels
        self.screens = screens
        self.feed = feed
        self.logger = logger
        self.onRead = onRead
    }

    func run() async throws {
        try await ServiceThread.run(named: "live-events", end: FirstValue()) {
            self.isStopped.store(true, ordering: .relaxed)
        } body: {
            try self.read()
        }
    }

    private func read() throws {
        let consumer = try Consumer(configuration: kafka, groupID: nil, logger: logger)
        defer { consumer.close() }
        let partitions = [topics.events, topics.deadLetters].map { TopicPartition(topic: $0, partition: 0) }
        try consumer.assign(partitions.map { PartitionStart($0, at: .earliest) })
        let inspector = EventInspector(funnels: funnels, screens: screens)
        var count = 0
        while !isStopped.load(ordering: .relaxed) {
            consumer.poll(timeout: .milliseconds(100)).records.forEach { record in
                if record.topic == topics.events {
                    count += 1
                    show(record, inspector)
                } else {
                    showDeadLetter(record)
                }
            }
            onRead(count)
        }
    }

    private func show(_ record: borrowing ConsumerRecord, _ inspector: EventInspector) {
        let value = record.value ?? UnsafeRawBufferPointer(start: nil, count: 0)
        let event = inspector.inspect(value, arrival: record.arrival) { record.binaryModeAttributes }
        // What is no event comes again as a dead letter.
        if let event { feed.append(event) }
    }

    private func showDeadLetter(_ record: borrowing ConsumerRecord) {
        let headers = record.headers()
        func text(_ name: String) -> String {
            let value = headers.last { $0.name == name }?.value
            return value.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        let finding = Finding(.deadLetter, "\(text("dlq.reason")): \(text("dlq.detail"))")
        let value = record.value.map { Array($0) } ?? []
        feed.append(LiveEvent(uncounted: value, finding, arrival: record.arrival))
    }
}

extension ConsumerRecord {
    fileprivate var arrival: Timestamp { timestamp.milliseconds.map(Timestamp.init(milliseconds:)) ?? .current }
}
