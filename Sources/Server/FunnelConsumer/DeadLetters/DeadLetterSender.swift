import Dispatch
import RDKafka
import Logging
import Synchronization

/// Sends dead letters and answers only when Kafka has them, so that nothing is committed past one that could be lost.
final class DeadLetterSender: Sendable {
    private let producer: Producer
    private let topic: String

    init(configuration: KafkaConfiguration, topic: String, logger: Logger) throws {
        // The broker says what is too large for its topic; the client is not to say it before.
        let defaults: KafkaConfiguration = ["message.max.bytes": "1000000000"]
        producer = try Producer(configuration: configuration.withDefaults(defaults), logger: logger)
        self.topic = topic
    }

    /// Sends, and blocks until Kafka has every one.
    ///
    /// - Throws: ``FunnelConsumerError/deadLetterTopic(_:_:)``.
    func send(_ letters: [DeadLetter]) throws {
        guard !letters.isEmpty else { return }
        for letter in try refused(deliver(letters.map(\.message)), of: letters) {
            // A broker judges a batch as a whole: alone, the record may be small enough.
            for letter in try refused(deliver([letter.message]), of: [letter]) {
                for case .failure(let error) in deliver([letter.messageWithoutValue]) {
                    throw FunnelConsumerError.deadLetterTopic(topic, error)
                }
            }
        }
    }

    /// Lets go of the connections.
    func close() {
        _ = blocking { [producer] in await producer.close(within: .seconds(5)) }
    }

    // Those that the topic finds too large.
    private func refused(
        _ results: [Result<RecordMetadata, KafkaError>],
        of letters: [DeadLetter]
    ) throws -> [DeadLetter] {
        try zip(letters, results).compactMap { letter, result in
            guard case .failure(let error) = result else { return nil }
            guard error.code == .messageTooLarge else { throw FunnelConsumerError.deadLetterTopic(topic, error) }
            return letter
        }
    }

    private func deliver(_ messages: [ProducerMessage]) -> [Result<RecordMetadata, KafkaError>] {
        messages.isEmpty ? [] : blocking { [producer, topic] in await producer.send(messages, to: topic) }
    }

    // Called on the store's and the consumer's own threads only, which may wait.
    private func blocking<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
        let box = BlockingBox<Value>()
        let semaphore = DispatchSemaphore(value: 0)
        Task.detached {
            let value = await body()
            box.value.withLock { $0 = value }
            semaphore.signal()
        }
        while true {
            semaphore.wait()
            if let value = box.value.withLock({ $0 }) { return value }
        }
    }
}

private final class BlockingBox<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
