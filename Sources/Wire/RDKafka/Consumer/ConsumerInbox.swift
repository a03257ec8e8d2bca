import CRDKafka

/// Where a consumer's callbacks leave what they were told.
///
/// librdkafka calls them from within `rd_kafka_consumer_poll` and `rd_kafka_consumer_close`, so it is confined to the
/// thread that owns the consumer.
final class ConsumerInbox {
    var events: [ConsumerEvent] = []
    /// An assignment that waits for its start offsets.
    var unanswered: [TopicPartition]?
    /// Partitions that are given back at the next poll.
    var revoked: [TopicPartition]?
    /// Set while the consumer closes: whatever is taken away is given back at once.
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
            events.append(.error(context.error(code, message: "The group can't be balanced")))
        }
        // Else the poll would go on waiting for a record.
        rd_kafka_yield(client)
    }
}

/// How partitions of a group are taken and given back: all at once, or with `cooperative-sticky` some at a time.
enum GroupProtocol {
    case eager
    case cooperative

    init(_ client: OpaquePointer) {
        let name = rd_kafka_rebalance_protocol(client).map { String(cString: $0) }
        self = name == "COOPERATIVE" ? .cooperative : .eager
    }

    /// Gives partitions back; all of them in the eager protocol.
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
