import FunnelStore
public import RDKafka

/// Why a consumer, a rebuild or a verification has ended, for what Kafka is the cause of.
///
/// Errors of the store are `StoreError`. The description says what happened and where, but names no command's flag.
public struct FunnelConsumerError: Error, Sendable {
    /// The kind of failure.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code's name.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The brokers did not answer at the start.
        public static let brokersUnreachable = Code(rawValue: "brokers_unreachable")
        /// A request to Kafka failed for another reason; see ``FunnelConsumerError/kafkaError``.
        public static let kafka = Code(rawValue: "kafka")
        /// The user has no right that the consumer needs.
        public static let missingRight = Code(rawValue: "missing_right")
        /// The brokers rejected the credentials.
        public static let credentials = Code(rawValue: "credentials")
        /// The run did not end in time after the signal, because the store, the dead-letter topic or Kafka did not answer.
        public static let shutdownTimedOut = Code(rawValue: "shutdown_timed_out")
        /// Another store reads the topic in the consumer's group.
        public static let groupOfAnotherStore = Code(rawValue: "group_of_another_store")
        /// The topic does not exist.
        public static let missingTopic = Code(rawValue: "missing_topic")
        /// The dead-letter topic did not accept a record.
        public static let deadLetterTopic = Code(rawValue: "dead_letter_topic")
    }

    /// The kind of failure.
    public let code: Code
    /// Kafka's error, if there is one.
    public let kafkaError: KafkaError?
    /// What happened and what to do, in a sentence or two.
    public let message: String

    static func brokersUnreachable(_ error: KafkaError) -> FunnelConsumerError {
        if error.code == .authentication { return credentials(error) }
        return FunnelConsumerError(
            code: .brokersUnreachable,
            kafkaError: error,
            message:
                "Kafka does not answer: \(error). Check that a broker runs there and that this machine can reach it."
        )
    }

    /// - Parameters:
    ///   - error: the error.
    ///   - right: the right on a topic that the failed request needs.
    static func kafka(_ error: KafkaError, right: String = "Describe") -> FunnelConsumerError {
        missingRight(error, right: right)
            ?? FunnelConsumerError(
                code: .kafka,
                kafkaError: error,
                message: "a request to Kafka failed: \(error). See the brokers' log, and start again: nothing is lost"
            )
    }

    /// Returns the error that names a missing right; `nil` if the error is not about a right.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - right: the right on a topic that the failed request needs.
    ///   - group: the client's consumer group; `nil` if it has none.
    static func missingRight(_ error: KafkaError, right: String, group: String? = nil) -> FunnelConsumerError? {
        guard let missing = error.missingRight(onTopic: right, group: group) else { return nil }
        return FunnelConsumerError(
            code: .missingRight,
            kafkaError: error,
            message: """
                the Kafka user does not have the right \(missing): \(error). Grant it (kafka-acls --add), and start again. \
                Nothing is lost.
                """
        )
    }

    private static func credentials(_ error: KafkaError) -> FunnelConsumerError {
        FunnelConsumerError(
            code: .credentials,
            kafkaError: error,
            message: """
                Kafka rejects the credentials: \(error). Check sasl.mechanism, sasl.username and sasl.password, or the \
                client's certificate, under kafka: in the configuration.
                """
        )
    }

    /// - Parameters:
    ///   - group: the group and the store of the consumer.
    ///   - other: a partition whose offset the other store has committed, and the id of that store.
    ///   - topic: the topic.
    static func groupOfAnotherStore(
        _ group: GroupBinding,
        _ other: (partition: Int32, storeID: String),
        topic: String
    ) -> FunnelConsumerError {
        FunnelConsumerError(
            code: .groupOfAnotherStore,
            kafkaError: nil,
            message: """
                the consumer group '\(group.groupID)' reads \(topic) for another store (partition \(other.partition) for \
                \(other.storeID), this one is \(group.storeID ?? "")): in one group each store would count a part of the \
                topic only. Leave group_id out, and each store has a group of its own, or name another one. If the other \
                store is gone, delete its offsets: kafka-consumer-groups --delete --group \(group.groupID). Nothing is lost: \
                the next start reads on from the store's offsets
                """
        )
    }

    /// - Parameters:
    ///   - timeout: the time since the signal.
    ///   - wait: what the run waits for.
    ///   - outage: what is wrong with the store, if its calls fail.
    static func shutdownTimedOut(
        _ timeout: Duration,
        waitingFor wait: ConsumerReadiness.Wait,
        outage: StoreError? = nil
    ) -> FunnelConsumerError {
        let cause =
            switch wait {
            case .firstAnswer: "the run had not begun \(timeout) after the signal: Kafka does not answer"
            case .opening:
                "the run had not begun \(timeout) after the signal: \(outage?.message ?? "the store does not answer")"
            case .store:
                "the last commit was not done \(timeout) after the signal: "
                    + (outage?.message ?? "the store or the dead-letter topic does not answer")
            case .records:
                "the run did not end \(timeout) after the signal: \(outage?.message ?? "Kafka does not answer")"
            }
        return FunnelConsumerError(
            code: .shutdownTimedOut,
            kafkaError: nil,
            message: """
                \(cause). The next start finds out what was committed, and reads on from the store's offsets: nothing is \
                lost, and nothing is counted twice.
                """
        )
    }

    static func missingTopic(_ topic: String) -> FunnelConsumerError {
        FunnelConsumerError(
            code: .missingTopic,
            kafkaError: nil,
            message:
                "the topic \(topic) does not exist: there is nothing to count. Check its name and the brokers' addresses."
        )
    }

    static func deadLetterTopic(_ topic: String, _ error: KafkaError) -> FunnelConsumerError {
        let problem: String
        switch error.code {
        case .topicAuthorizationFailed:
            problem = "the Kafka user does not have the right Write on it: \(error). Grant it (kafka-acls --add)"
        case .clusterAuthorizationFailed:
            // Since Kafka 2.8 the right to write to any topic is enough for an idempotent producer.
            problem =
                "the Kafka user has neither the right Write on it nor, for brokers before 2.8, IdempotentWrite on the "
                + "cluster: \(error). Grant it (kafka-acls --add)"
        case .authentication:
            return credentials(error)
        default:
            problem = "\(error). Create the topic, or increase its max.message.bytes if the record is too large"
        }
        return FunnelConsumerError(
            code: .deadLetterTopic,
            kafkaError: error,
            message: """
                the dead-letter topic \(topic) did not accept a record: \(problem), and start again. Nothing was \
                committed past that record.
                """
        )
    }
}

extension FunnelConsumerError: CustomStringConvertible {
    /// The ``message``.
    public var description: String { message }
}
