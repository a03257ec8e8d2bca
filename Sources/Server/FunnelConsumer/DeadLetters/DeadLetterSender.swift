import Dispatch
import RDKafka
import Logging
import Synchronization

/// Sends dead letters, and waits until Kafka has them, so that the consumer does not commit past one that could be lost.
final class DeadLetterSender: Sendable {
    private let producer: Producer
    private let topic: String

    init(configuration: KafkaConfiguration, topic: String, logger: Logger) throws {
        // The broker decides what is too large for its topic. By default a broker closes the connection on a request of
        // more than 100 MiB without an answer, so the client has a limit just below that.
        let defaults: KafkaConfiguration = ["message.max.bytes": "\(DeadLetter.valueLimit)"]
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
                try sendShortened(letter)
            }
        }
    }

    /// Closes the connections.
    func close() {
        _ = blocking { [producer] in await producer.close(within: .seconds(5)) }
    }

    /// Sends a letter without its value, and with as much of its key and headers as the topic accepts.
    private func sendShortened(_ letter: DeadLetter) throws {
        var limit = letter.keyAndHeaderByteCount
        var message = letter.messageWithoutValue
        while true {
            guard case .failure(let error)? = deliver([message]).first else { return }
            // Smaller than this, the letter would have lost its key and headers, and the topic accepts nothing.
            guard error.code.isAboutSize, limit > 0 else { throw FunnelConsumerError.deadLetterTopic(topic, error) }
            // A quarter each time: an attacker's record costs about ten requests, and what is kept is useful.
            limit = limit > 64 ? limit / 4 : 0
            message = letter.message(keeping: limit)
        }
    }

    // The letters that the broker rejected as too large.
    private func tooLarge(
        _ results: [Result<RecordMetadata, KafkaError>],
        of letters: [DeadLetter]
    ) throws -> [DeadLetter] {
        try zip(letters, results).compactMap { letter, result in
            guard case .failure(let error) = result else { return nil }
            guard error.code.isAboutSize else { throw FunnelConsumerError.deadLetterTopic(topic, error) }
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

extension KafkaError.Code {
    /// Whether the topic, or the client, rejects a record because of its size.
    fileprivate var isAboutSize: Bool { self == .messageTooLarge || self == .recordListTooLarge }
}

private final class BlockingBox<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
