internal import EventReader
public import FlowEvents
public import Logging
public import RDKafka

/// Publishes requests to erase installs to the topic of the events, and finds the installs of a user there.
///
/// ```swift
/// let topic = ErasureTopic(kafka: kafka, topic: "app-events", logger: logger)
/// let installs = try topic.installs(ofUser: "u-42")
/// try await topic.request(erasing: installs, now: .current, id: { UUID().uuidString })
/// ```
///
/// A request is an event as an app sends it (``FlowEvents/ErasureRequest``). The consumer erases the install when it reads the
/// request.
public struct ErasureTopic: Sendable {
    /// The `source` of the requests.
    public static let source = "urn:flow-funnels:funnel-consumer"

    private let kafka: KafkaConfiguration
    private let topic: String
    private let logger: Logger

    /// Creates a value for a topic. It does not connect yet.
    ///
    /// - Parameters:
    ///   - kafka: librdkafka's properties.
    ///   - topic: the topic of the events.
    ///   - logger: logs Kafka's events.
    public init(kafka: KafkaConfiguration, topic: String, logger: Logger) {
        self.kafka = kafka
        self.topic = topic
        self.logger = logger
    }

    /// Returns the installs that have sent an event with a `user_id`, sorted by their bytes. It reads the whole topic, and
    /// blocks. Events that the topic has lost are not seen.
    ///
    /// - Throws: ``FunnelConsumerError``, `KafkaConfigurationError`.
    public func installs(ofUser user: String) throws -> [String] {
        let reader = EventReader(fields: [.data("user_id")])
        let wanted = Array(user.utf8)
        var installs: Set<[UInt8]> = []
        func look(_ value: UnsafeRawBufferPointer, _ timestamp: Timestamp?) -> EventViolation? {
            reader.violation(in: value, recordTimestamp: timestamp) { event in
                guard case .string(let text) = event.values[0], text.elementsEqual(wanted) else { return }
                installs.insert(Array(event.installID))
            }
        }
        let exists = try TopicReader(kafka: kafka, topic: topic, logger: logger).forEach { record in
            let timestamp = record.timestamp.milliseconds.map(Timestamp.init(milliseconds:))
            let value = record.value ?? UnsafeRawBufferPointer(start: nil, count: 0)
            guard let violation = look(value, timestamp) else { return }
            let attributes = record.binaryModeAttributes
            let other = reader.rewritten(value, after: violation, attributes: { attributes })
            _ = other?.withUnsafeBytes { look($0, timestamp) }
        }
        guard exists else { throw FunnelConsumerError.missingTopic(topic) }
        return installs.sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Publishes a request for each install. It returns when Kafka has them all.
    ///
    /// - Parameters:
    ///   - installs: the installs' ids.
    ///   - now: the time of the requests.
    ///   - id: returns the id of the next event.
    /// - Throws: `EventViolation` for an id that no event can have; ``FunnelConsumerError``, `KafkaError`,
    ///   `KafkaConfigurationError`. Some of the requests may have been published then. To repeat all of them does no harm.
    public func request(erasing installs: [String], now: Timestamp, id: () -> String) async throws {
        let messages = try installs.map { install in
            let event = Event(
                id: id(),
                source: Self.source,
                type: ErasureRequest.eventType,
                time: now,
                installID: install
            )
            return ProducerMessage(
                key: Array(install.utf8),
                value: try event.encoded(),
                headers: [KafkaHeader("content-type", Event.contentType)]
            )
        }
        do {
            // Without a topic, the producer would wait for one.
            let isThere = try TopicReader(kafka: kafka, topic: topic, logger: logger).reading {
                try $0.partitionCount(of: topic, within: TopicReader.timeout) != nil
            }
            guard isThere else { throw FunnelConsumerError.missingTopic(topic) }
            let producer = try Producer(configuration: kafka, logger: logger)
            let results = await producer.send(messages, to: topic)
            await producer.close(within: .seconds(5))
            for result in results { _ = try result.get() }
        } catch let error as KafkaError {
            if let missing = FunnelConsumerError.missingRight(error, right: "Write") { throw missing }
            throw error
        }
    }
}
