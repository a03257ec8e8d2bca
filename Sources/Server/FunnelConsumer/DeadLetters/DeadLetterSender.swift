import Dispatch
import RDKafka
import Logging
import Synchronization

/// Sends dead letters, and waits until Kafka has them, so that the consumer does not commit past one that could be lost.
final class DeadLetterSender: Sendable {
    // Made for the first letter: a producer requests an id at once, which a user without the right to write may not do,
    // and librdkafka calls that fatal.
    private let producer = Mutex<Producer?>(nil)
    private let configuration: KafkaConfiguration
    private let topic: String
    private let logger: Logger

    init(configuration: KafkaConfiguration, topic: String, logger: Logger) {
        // The broker decides what is too large for its topic. By default a broker closes the connection on a request of
        // more than 100 MiB without an answer, so the client has a limit just below that.
        let defaults: KafkaConfiguration = ["message.max.bytes": "\(DeadLetter.valueLimit)"]
        self.configuration = configuration.withDefaults(defaults)
        self.topic = topic
        self.logger = logger
    }

    /// Checks the configuration.
    ///
    /// - Throws: `KafkaConfigurationError`.
    func check() throws { _ = try openProducer() }

    private func openProducer() throws -> Producer {
        try producer.withLock { producer in
            if let producer { return producer }
            let made = try Producer(configuration: configuration, logger: logger)
            producer = made
            return made
        }
    }

    /// Sends letters, and blocks until Kafka has all of them.
    ///
    /// - Throws: ``FunnelConsumerError`` with the code ``FunnelConsumerError/Code/deadLetterTopic`` or
    ///   ``FunnelConsumerError/Code/credentials``; `KafkaConfigurationError`.
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
        guard let producer = producer.withLock({ $0 }) else { return }
        _ = blocking { await producer.close(within: .seconds(5)) }
    }

    /// Sends a letter without its value, and with as much of its key and headers as the topic accepts.
    private func sendShortened(_ letter: DeadLetter) throws {
        var limit = letter.keyAndHeaderByteCount
        var message = letter.messageWithoutValue
        while true {
            guard case .failure(let error)? = try deliver([message]).first else { return }
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

    private func deliver(_ messages: [ProducerMessage]) throws -> [Result<RecordMetadata, KafkaError>] {
        guard !messages.isEmpty else { return [] }
        let producer = try openProducer()
        return blocking { [topic] in
            let results = await producer.send(messages, to: topic)
            let isPurged = results.contains {
                if case .failure(let error) = $0 { error.code == .purgedFromQueue } else { false }
            }
            // librdkafka drops its queue after a fatal error. The next record is refused with that error.
            return isPurged ? await producer.send(messages, to: topic) : results
        }
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
