import Dispatch
import RDKafka
import Logging
import Synchronization

/// Sends dead letters, and waits until Kafka has them, so that the consumer does not commit past one that could be lost.
final class DeadLetterSender: Sendable {
    private let producer: Producer
    private let topic: String

    init(configuration: KafkaConfiguration, topic: String, logger: Logger) throws {
        // The broker decides what is too large for its topic, so the client has no limit of its own.
        let defaults: KafkaConfiguration = ["message.max.bytes": "1000000000"]
        producer = try Producer(configuration: configuration.withDefaults(defaults), logger: logger)
        self.topic = topic
    }

    /// Sends letters, and blocks until Kafka has all of them.
    ///
    /// - Throws: ``FunnelConsumerError`` with the code ``FunnelConsumerError/Code/deadLetterTopic``.
    func send(_ letters: [DeadLetter]) throws {
        guard !letters.isEmpty else { return }
        for letter in try tooLarge(deliver(letters.map(\.message)), of: letters) {
            // A broker rejects a batch as a whole: alone, the record may be small enough.
            for letter in try tooLarge(deliver([letter.message]), of: [letter]) {
                for case .failure(let error) in deliver([letter.messageWithoutValue]) {
                    throw FunnelConsumerError.deadLetterTopic(topic, error)
                }
            }
        }
    }

    /// Closes the connections.
    func close() {
        _ = blocking { [producer] in await producer.close(within: .seconds(5)) }
    }

    // The letters that the broker rejected as too large.
    private func tooLarge(
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

    // Called only on the threads of the store and of the consumer, which may block.
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
