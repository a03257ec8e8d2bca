import CRDKafka

/// What a producer still had when its closing deadline passed.
///
/// Every sender gets the same as errors of its records; this is the sum, for the log.
public struct UndeliveredRecords: Sendable, Hashable, CustomStringConvertible {
    /// Records that never left this process.
    public internal(set) var unsent = 0
    /// Records that were sent and not answered: the broker may have them.
    public internal(set) var unanswered = 0

    /// Whether everything was delivered.
    public var isEmpty: Bool { unsent == 0 && unanswered == 0 }

    /// One sentence for the log.
    public var description: String {
        isEmpty
            ? "every record was delivered"
            : "\(unsent) records were not sent, \(unanswered) were sent and not answered"
    }

    /// What two producers still had.
    public static func + (lhs: UndeliveredRecords, rhs: UndeliveredRecords) -> UndeliveredRecords {
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
