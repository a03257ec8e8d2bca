public import RDKafka

/// Why a consumer has stopped, but for what a store or an engine says itself.
///
/// New cases may come: a `switch` needs a default.
public enum FunnelConsumerError: Error, Sendable {
    /// The brokers did not answer at the start.
    case brokersUnreachable(KafkaError)
    /// Kafka refused to go on: another client with the same identity, missing rights, and the like.
    case kafka(KafkaError)
    /// The last commit was not done in time: the store, or the dead-letter topic, does not answer.
    case shutdownTimedOut(Duration)
    /// The dead-letter topic did not take a record, which must not be lost.
    case deadLetterTopic(String, KafkaError)
}

extension FunnelConsumerError: CustomStringConvertible {
    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .brokersUnreachable(let error):
            """
            Kafka does not answer: \(error). Check that a broker runs there and that this machine may reach it; \
            --bootstrap-servers or KAFKA_BOOTSTRAP_SERVERS names other brokers.
            """
        case .kafka(let error):
            "Kafka: \(error)"
        case .shutdownTimedOut(let timeout):
            """
            the last commit was not done \(timeout) after the signal: the store or the dead-letter topic \
            does not answer. Whether it was committed is seen at the next start, which reads on from where the store \
            stands: nothing is lost, and nothing is counted twice.
            """
        case .deadLetterTopic(let topic, let error):
            """
            the dead-letter topic \(topic) did not take a record: \(error). Nothing was committed past it. Create the \
            topic, or give the right to write to it, and start again.
            """
        }
    }
}
