import Dispatch
import Kafka
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
        var refused: [DeadLetter] = []
        for (letter, result) in zip(letters, deliver(letters.map(\.message))) {
            guard case .failure(let error) = result else { continue }
            guard error.code == .messageTooLarge else { throw FunnelConsumerError.deadLetterTopic(topic, error) }
            refused.append(letter)
        }
        for case .failure(let error) in deliver(refused.map(\.messageWithoutValue)) {
            throw FunnelConsumerError.deadLetterTopic(topic, error)
        }
    }

    /// Lets go of the connections.
    func close() {
        _ = blocking { [producer] in await producer.close(within: .seconds(5)) }
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
