import CRDKafka

/// The number of records that a producer dropped because its closing deadline passed.
///
/// Each sender gets the errors of its own records. This sum is for the log.
public struct UndeliveredRecords: Sendable, Hashable, CustomStringConvertible {
    /// The records that were not sent.
    public internal(set) var unsent = 0
    /// The records that were sent but not acknowledged: the broker may have them.
    public internal(set) var unanswered = 0

    /// Whether all records were delivered.
    public var isEmpty: Bool { unsent == 0 && unanswered == 0 }

    /// A sentence for the log.
    public var description: String {
        isEmpty
            ? "every record was delivered"
            : "\(unsent) records were not sent, \(unanswered) were sent but not acknowledged"
    }

    /// The sum of two producers.
    package static func + (lhs: UndeliveredRecords, rhs: UndeliveredRecords) -> UndeliveredRecords {
        var sum = lhs
        sum.unsent += rhs.unsent
        sum.unanswered += rhs.unanswered
        return sum
    }

    mutating func count(_ code: rd_kafka_resp_err_t) {
        switch code {
        case RD_KAFKA_RESP_ERR__PURGE_QUEUE: unsent += 1
        case RD_KAFKA_RESP_ERR__PURGE_INFLIGHT: unanswered += 1
        default: break
        }
    }
}
