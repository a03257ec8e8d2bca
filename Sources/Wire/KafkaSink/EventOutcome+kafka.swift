import EventTracking
import RDKafka

/// Maps Kafka errors to outcomes of events.
///
/// - An event is **rejected** only if the event itself is at fault: it is too large, or the broker does not accept it.
///   These are the codes of ``rejections``. The failure has Kafka's name of the code, such as `MSG_SIZE_TOO_LARGE`.
/// - All other errors concern the cluster, the network, a permission or the producer, and may be fixed while the event
///   waits: the event is to be **retried**, even after librdkafka has tried for `message.timeout.ms`
///   (`_MSG_TIMED_OUT`).
/// - This includes a **fatal** error, after which the sink creates a new producer, and a closed producer, after which
///   the sink delivers nothing more. The event is not lost if its queue outlives the process; otherwise the tracker's
///   shutdown counts it. The failure's detail describes both cases.
extension EventOutcome {
    /// The codes about the event itself, from librdkafka or from a broker.
    static let rejections: Set<KafkaError.Code> = KafkaError.Code.sizeRefusals.union([
        .invalidRecord, .invalidTimestamp, .invalidArgument,
    ])

    /// Creates the outcome of an event that failed with this error.
    init(_ error: KafkaError) {
        if error.isFatal || error.code == .fatal {
            let detail = "\(error); this producer delivers nothing more, and the sink creates a new one"
            self = .retry(SinkFailure(code: error.name, detail: detail))
        } else if error.code == .closed {
            let detail = "\(error); it delivers nothing more: create a new sink"
            self = .retry(SinkFailure(code: error.name, detail: detail))
        } else if error.code.isAboutSize {
            let detail = """
                \(error); raise max.message.bytes of the topic, and message.max.bytes of the producer if it is lower
                """
            self = .rejected(SinkFailure(code: error.name, detail: detail))
        } else if Self.rejections.contains(error.code) {
            self = .rejected(SinkFailure(code: error.name, detail: "\(error)"))
        } else {
            self = .retry(SinkFailure(code: error.name, detail: "\(error)"))
        }
    }

    /// The outcomes of `count` events, in order.
    ///
    /// - Parameter failures: the errors of the failed events, by index.
    static func outcomes(of count: Int, failures: [Int: KafkaError]) -> [EventOutcome] {
        var outcomes = Array(repeating: EventOutcome.delivered, count: count)
        // Most failed batches have one error; its text is made once.
        var known: [KafkaError.Code: EventOutcome] = [:]
        for (index, error) in failures {
            let outcome = known[error.code] ?? EventOutcome(error)
            known[error.code] = outcome
            outcomes[index] = outcome
        }
        return outcomes
    }
}
