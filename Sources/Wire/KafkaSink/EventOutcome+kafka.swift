import EventTracking
import RDKafka

/// What a Kafka error means for the event that met it.
///
/// - An event is **rejected** only for what it itself is: too large, or nothing that the broker takes. These are the
///   codes of ``rejections``, and the failure has the name that Kafka gives them, such as `MSG_SIZE_TOO_LARGE`.
/// - Everything else is about the cluster, the network, a permission or the producer, and may be put right while the
///   event waits: it is to be **retried**, also after librdkafka has tried for `message.timeout.ms` (`_MSG_TIMED_OUT`).
/// - That holds for a **fatal** error too, after which the sink makes a new producer, and for a closed producer, with
///   which a sink will not deliver again: the event is not lost where its queue outlives the process, and the tracker's
///   shutdown counts it where it does not. The failure's detail says so.
extension EventOutcome {
    /// The codes that are about the event, whoever says so: librdkafka or a broker.
    static let rejections: Set<KafkaError.Code> = sizeRefusals.union([
        .invalidRecord, .invalidTimestamp, .invalidArgument,
    ])

    /// Those of them that are about the size: of the event, or of the batch that it came in.
    static let sizeRefusals: Set<KafkaError.Code> = [.messageTooLarge, .recordListTooLarge]

    /// The outcome for an error.
    init(_ error: KafkaError) {
        if error.isFatal || error.code == .fatal {
            let detail = "\(error); this producer delivers nothing more, and the sink makes a new one"
            self = .retry(SinkFailure(code: error.name, detail: detail))
        } else if error.code == .closed {
            let detail = "\(error); it delivers nothing more: make the sink anew"
            self = .retry(SinkFailure(code: error.name, detail: detail))
        } else if Self.sizeRefusals.contains(error.code) {
            let detail = """
                \(error); raise max.message.bytes of the topic, and message.max.bytes of the producer where it is lower
                """
            self = .rejected(SinkFailure(code: error.name, detail: detail))
        } else if Self.rejections.contains(error.code) {
            self = .rejected(SinkFailure(code: error.name, detail: "\(error)"))
        } else {
            self = .retry(SinkFailure(code: error.name, detail: "\(error)"))
        }
    }

    /// One outcome for each of so many events, in their order.
    ///
    /// - Parameter failures: the errors of those that are not delivered, by their number.
    static func outcomes(of count: Int, failures: [Int: KafkaError]) -> [EventOutcome] {
        var outcomes = Array(repeating: EventOutcome.delivered, count: count)
        // A batch that fails mostly fails for one reason, whose text is made once.
        var known: [KafkaError.Code: EventOutcome] = [:]
        for (index, error) in failures {
            let outcome = known[error.code] ?? EventOutcome(error)
            known[error.code] = outcome
            outcomes[index] = outcome
        }
        return outcomes
    }
}
