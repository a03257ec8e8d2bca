import FlowEvents
import Logging
import RDKafka
import StoreNotifications
import Synchronization

/// Sends the events that break a rule to the dead-letter topic, with the reason in headers.
final class WebhookDeadLetters: Sendable {
    // Made for the first letter: a producer requests an id at once, which a user without the right to write there may not
    // do, and librdkafka calls that fatal.
    private let producer = Mutex<Producer?>(nil)
    private let configuration: KafkaConfiguration
    private let topic: String
    private let eventTopic: String
    private let logger: Logger

    init(_ settings: CollectorSettings, logger: Logger) {
        configuration = KafkaProperties.producer(settings)
        topic = settings.deadLetterTopic
        eventTopic = settings.topic
        self.logger = logger
    }

    /// Sends an event, and waits until Kafka has it.
    ///
    /// - Returns: whether Kafka has it.
    func send(_ event: StoreEvent, _ violation: EventViolation) async -> Bool {
        // Without partition and offset: the event was never in the topic.
        let message = ProducerMessage(
            key: event.installID.map { Array($0.utf8) },
            value: event.encoded(),
            headers: [
                KafkaHeader("content-type", Event.contentType),
                KafkaHeader("dlq.reason", violation.reason.rawValue),
                KafkaHeader("dlq.detail", violation.detail),
                KafkaHeader("dlq.topic", eventTopic),
            ]
        )
        do {
            let producer = try current()
            do throws(KafkaError) {
                _ = try await producer.send(message, to: topic)
                return true
            } catch {
                // It delivers nothing more: the next letter has another one.
                if error.isFatal { await retire(producer) }
                throw error
            }
        } catch {
            logger.error(
                "the dead-letter topic does not take a store's event",
                metadata: ["topic": "\(topic)", "error": "\(error)"]
            )
            return false
        }
    }

    /// Ends the producer, if there is one.
    func close() async {
        await producer.withLock { $0 }?.close(within: .seconds(1))
    }

    private func current() throws(KafkaConfigurationError) -> Producer {
        try producer.withLock { producer throws(KafkaConfigurationError) in
            if let producer { return producer }
            let made = try Producer(configuration: configuration, logger: logger)
            producer = made
            return made
        }
    }

    private func retire(_ old: Producer) async {
        producer.withLock { if $0 === old { $0 = nil } }
        await old.close(within: .zero)
    }
}
