import RDKafka

/// The errors that real brokers give to each kind of request: the retriable ones of
/// [the protocol's table](https://kafka.apache.org/protocol.html#protocol_error_codes), and a broken connection.
enum Refusals {
    static let all: [(EmbeddedBroker.Request, [KafkaError.Code])] = [
        (.produce, [.transport, .notLeader, .notEnoughReplicas, .requestTimedOut]),
        (.fetch, [.transport, .notLeader]),
        (.listOffsets, [.transport, .notLeader]),
        (.metadata, [.transport]),
        (.offsetCommit, [.transport, rebalanceInProgress, illegalGeneration, coordinatorLoading]),
        (.findCoordinator, [.transport, coordinatorNotAvailable]),
        (.joinGroup, [.transport, unknownMember, coordinatorLoading]),
        (.syncGroup, [.transport, rebalanceInProgress, unknownMember]),
        (.heartbeat, [.transport, rebalanceInProgress, unknownMember, illegalGeneration]),
    ]

    private static let coordinatorLoading = KafkaError.Code(rawValue: 14)
    private static let coordinatorNotAvailable = KafkaError.Code(rawValue: 15)
    private static let illegalGeneration = KafkaError.Code(rawValue: 22)
    private static let unknownMember = KafkaError.Code(rawValue: 25)
    private static let rebalanceInProgress = KafkaError.Code(rawValue: 27)
}
