import CRDKafka

/// The events that a consumer's callbacks leave for the next poll.
///
/// Confined to the thread that owns the consumer: librdkafka calls the callbacks inside `rd_kafka_consumer_poll` and
/// `rd_kafka_consumer_close`.
final class ConsumerInbox {
    var events: [ConsumerEvent] = []
    /// The assigned partitions that have no start positions yet.
    var unanswered: [TopicPartition]?
    /// The partitions to give back at the next poll.
    var revoked: [TopicPartition]?
    /// Whether the consumer closes: revoked partitions are then given back at once.
    var isClosing = false

    func rebalance(
        _ client: OpaquePointer,
        _ code: rd_kafka_resp_err_t,
        _ list: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?,
        context: ClientContext
    ) {
        let partitions = TopicPartitionList.elements(of: list).map(\.partition).sorted()
        if isClosing {
            GroupProtocol(client).revoke(list, of: client)
            return
        }
        switch code {
        case RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS:
            unanswered = partitions
        case RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS:
            unanswered = nil
            revoked = partitions
            events.append(rd_kafka_assignment_lost(client) != 0 ? .lost(partitions) : .revoked(partitions))
        default:
            unanswered = nil
            revoked = partitions
            events.append(.lost(partitions))
            events.append(.error(context.error(code, message: "The group cannot be rebalanced")))
        }
        // Otherwise the poll would continue to wait for a record.
        rd_kafka_yield(client)
    }
}

/// The rebalance protocol of a group: all partitions at once, or with `cooperative-sticky` only the ones that move.
enum GroupProtocol {
    case eager
    case cooperative

    init(_ client: OpaquePointer) {
        let name = rd_kafka_rebalance_protocol(client).map { String(cString: $0) }
        self = name == "COOPERATIVE" ? .cooperative : .eager
    }

    /// Gives partitions back; the eager protocol gives back all of them.
    func revoke(_ list: UnsafePointer<rd_kafka_topic_partition_list_t>?, of client: OpaquePointer) {
        switch self {
        case .eager:
            rd_kafka_assign(client, nil)
        case .cooperative:
            if let error = rd_kafka_incremental_unassign(client, list) {
                rd_kafka_error_destroy(error)
            }
        }
    }
}
