import CRDKafka

extension KafkaError {
    /// An error code of the Kafka protocol (−1, or 0 and more) or of librdkafka (less than −1).
    ///
    /// See [the protocol's codes](https://kafka.apache.org/protocol.html#protocol_error_codes).
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The number.
        public let rawValue: Int32

        /// Creates a code from its number.
        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        init(_ code: rd_kafka_resp_err_t) {
            rawValue = code.rawValue
        }

        var response: rd_kafka_resp_err_t { rd_kafka_resp_err_t(rawValue) }

        /// The name, such as `OFFSET_OUT_OF_RANGE`.
        public var name: String { String(cString: rd_kafka_err2name(response)) }
        /// librdkafka's description of the code.
        public var explanation: String { String(cString: rd_kafka_err2str(response)) }

        /// The offset is not in the log, or not any more.
        public static let offsetOutOfRange = Code(RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE)
        /// The topic or partition does not exist on the broker, or not yet.
        public static let unknownTopicOrPartition = Code(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART)
        /// The message is larger than the client or the topic allows.
        public static let messageTooLarge = Code(RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE)
        /// The batch of messages is larger than the topic allows.
        public static let recordListTooLarge = Code(RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE)
        /// The codes about the size of a message, or of its batch.
        package static let sizeRefusals: Set<Code> = [.messageTooLarge, .recordListTooLarge]
        /// Whether the message, or its batch, was refused because of its size.
        package var isAboutSize: Bool { Self.sizeRefusals.contains(self) }
        /// The broker rejects the message as invalid.
        public static let invalidRecord = Code(RD_KAFKA_RESP_ERR_INVALID_RECORD)
        /// The message's timestamp is further from the broker's time than the topic allows.
        public static let invalidTimestamp = Code(RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP)
        /// The client is unusable; the other fields of the error explain why.
        public static let fatal = Code(RD_KAFKA_RESP_ERR__FATAL)
        /// The broker is not the leader of the partition, or not any more.
        public static let notLeader = Code(RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION)
        /// Too few replicas are in sync.
        public static let notEnoughReplicas = Code(RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS)
        /// The broker could not process the request in time.
        public static let requestTimedOut = Code(RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT)
        /// The client may not access the topic.
        public static let topicAuthorizationFailed = Code(RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED)
        /// The client may not use the consumer group.
        public static let groupAuthorizationFailed = Code(RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED)
        /// The client may not do this in the cluster.
        public static let clusterAuthorizationFailed = Code(RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED)
        /// The broker rejects the client's credentials.
        public static let authentication = Code(RD_KAFKA_RESP_ERR__AUTHENTICATION)
        /// There is no connection, or it was lost.
        public static let transport = Code(RD_KAFKA_RESP_ERR__TRANSPORT)
        /// The broker has left the cluster, if only to start again. librdkafka 2.11 and later report this code. Earlier
        /// headers do not name it.
        static let brokerRemoved = Code(rawValue: -137)
        /// No broker can be reached.
        public static let allBrokersDown = Code(RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN)
        /// An operation took longer than allowed.
        public static let timedOut = Code(RD_KAFKA_RESP_ERR__TIMED_OUT)
        /// A message could not be delivered within `message.timeout.ms`.
        public static let messageTimedOut = Code(RD_KAFKA_RESP_ERR__MSG_TIMED_OUT)
        /// The producer dropped a message before sending it.
        public static let purgedFromQueue = Code(RD_KAFKA_RESP_ERR__PURGE_QUEUE)
        /// The producer dropped a message after sending it and before the broker answered; the broker may have it.
        public static let purgedInFlight = Code(RD_KAFKA_RESP_ERR__PURGE_INFLIGHT)
        /// The client is closed.
        public static let closed = Code(RD_KAFKA_RESP_ERR__DESTROY)
        /// The call is not allowed in the client's state.
        public static let wrongState = Code(RD_KAFKA_RESP_ERR__STATE)
        /// An argument is wrong.
        public static let invalidArgument = Code(RD_KAFKA_RESP_ERR__INVALID_ARG)
        /// The client does not know the topic.
        public static let unknownTopic = Code(RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC)
    }
}

extension KafkaError.Code {
    /// Whether a retry may succeed: the retriable codes of the protocol's table, and librdkafka's own codes for an
    /// unavailable cluster.
    var isRetriable: Bool { Self.retriable.contains(self) }

    private static let retriable: Set<Self> = Set(
        [
            RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN, RD_KAFKA_RESP_ERR__TIMED_OUT,
            RD_KAFKA_RESP_ERR__MSG_TIMED_OUT, RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE, RD_KAFKA_RESP_ERR__QUEUE_FULL,
            RD_KAFKA_RESP_ERR__RESOLVE, RD_KAFKA_RESP_ERR__WAIT_COORD, RD_KAFKA_RESP_ERR__WAIT_CACHE,
            RD_KAFKA_RESP_ERR__PURGE_QUEUE, RD_KAFKA_RESP_ERR__PURGE_INFLIGHT, RD_KAFKA_RESP_ERR__RETRY,
            RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC, RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION,
            RD_KAFKA_RESP_ERR__ISR_INSUFF,
            RD_KAFKA_RESP_ERR_INVALID_MSG, RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART,
            RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION,
            RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT, RD_KAFKA_RESP_ERR_REPLICA_NOT_AVAILABLE,
            RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION, RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS,
            RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_NOT_COORDINATOR,
            RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS, RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND,
            RD_KAFKA_RESP_ERR_NOT_CONTROLLER, RD_KAFKA_RESP_ERR_KAFKA_STORAGE_ERROR,
            RD_KAFKA_RESP_ERR_FETCH_SESSION_ID_NOT_FOUND, RD_KAFKA_RESP_ERR_INVALID_FETCH_SESSION_EPOCH,
            RD_KAFKA_RESP_ERR_FENCED_LEADER_EPOCH, RD_KAFKA_RESP_ERR_UNKNOWN_LEADER_EPOCH,
            RD_KAFKA_RESP_ERR_OFFSET_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_THROTTLING_QUOTA_EXCEEDED,
        ].map(Self.init) + [brokerRemoved]
    )
}
