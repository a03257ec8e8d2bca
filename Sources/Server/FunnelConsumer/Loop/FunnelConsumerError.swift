public import RDKafka

/// Why a consumer, a rebuild or a verification has ended, for what Kafka is the cause of.
///
/// Errors of the store are `StoreError`. The description says what happened and where, but names no command's flag.
public struct FunnelConsumerError: Error, Sendable {
    /// The kind of failure.
    public struct Code: Sendable, Hashable {
        private let name: String

        /// The brokers did not answer at the start.
        public static let brokersUnreachable = Code(name: "brokersUnreachable")
        /// Kafka reported an error that trying again does not mend, such as a missing permission.
        public static let kafka = Code(name: "kafka")
        /// The last commit was not done in time, because the store or the dead-letter topic did not answer.
        public static let shutdownTimedOut = Code(name: "shutdownTimedOut")
        /// The dead-letter topic did not accept a record.
        public static let deadLetterTopic = Code(name: "deadLetterTopic")
    }

    /// The kind of failure.
    public let code: Code
    /// Kafka's error, if there is one.
    public let kafkaError: KafkaError?
    /// What happened and what to do, in a sentence or two.
    public let message: String

    static func brokersUnreachable(_ error: KafkaError) -> FunnelConsumerError {
        FunnelConsumerError(
            code: .brokersUnreachable,
            kafkaError: error,
            message:
                "Kafka does not answer: \(error). Check that a broker runs there and that this machine can reach it."
        )
    }

    static func kafka(_ error: KafkaError) -> FunnelConsumerError {
        FunnelConsumerError(code: .kafka, kafkaError: error, message: "Kafka: \(error)")
    }

    static func shutdownTimedOut(_ timeout: Duration) -> FunnelConsumerError {
        FunnelConsumerError(
            code: .shutdownTimedOut,
            kafkaError: nil,
            message: """
                the last commit was not done \(timeout) after the signal: the store or the dead-letter topic does not \
                answer. The next start finds out whether it was committed, and reads on from the store's offsets: \
                nothing is lost, and nothing is counted twice.
                """
        )
    }

    static func deadLetterTopic(_ topic: String, _ error: KafkaError) -> FunnelConsumerError {
        FunnelConsumerError(
            code: .deadLetterTopic,
            kafkaError: error,
            message: """
                the dead-letter topic \(topic) did not accept a record: \(error). Nothing was committed past that \
                record. Create the topic, or grant the right to write to it, and start again.
                """
        )
    }
}

extension FunnelConsumerError: CustomStringConvertible {
    /// The ``message``.
    public var description: String { message }
}
