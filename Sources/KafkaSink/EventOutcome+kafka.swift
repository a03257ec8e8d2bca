import Analytics
import Kafka

/// What a Kafka error means for the event that met it.
///
/// - An event is **rejected** only for what it itself is: too large, or nothing that the broker takes. These are the
///   codes of ``rejections``, and the failure has the name that Kafka gives them, such as `MSG_SIZE_TOO_LARGE`.
/// - Everything else is about the cluster, the network, a permission or the producer, and may be put right while the
///   event waits: it is to be **retried**, also after librdkafka has tried for `message.timeout.ms` (`_MSG_TIMED_OUT`).
/// - That holds for a **fatal** error and a closed producer too, although this sink will not deliver again: the event
///   is not lost where its queue outlives the process, and the tracker's shutdown counts it where it does not. The
///   failure's detail says that the sink has to be made anew.
extension EventOutcome {
    /// The codes that are about the event, whoever says so: librdkafka or a broker.
    static let rejections: Set<KafkaError.Code> = [
        .messageTooLarge, .recordListTooLarge, .invalidRecord, .invalidTimestamp, .invalidArgument,
    ]

    /// The outcome for an error.
    init(_ error: KafkaError) {
        if error.isFatal || error.code == .fatal || error.code == .closed {
            let detail = "\(error); this producer delivers nothing more: make the sink anew"
            self = .retry(SinkFailure(code: error.name, detail: detail))
        } else if Self.rejections.contains(error.code) {
            self = .rejected(SinkFailure(code: error.name, detail: "\(error)"))
        } else {
            self = .retry(SinkFailure(code: error.name, detail: "\(error)"))
        }
    }

    /// One outcome for each result, in their order.
    static func outcomes(of results: DeliveryReceipt.Results) -> [EventOutcome] {
        // A batch that fails mostly fails for one reason, whose text is made once.
        var failures: [KafkaError.Code: EventOutcome] = [:]
        return results.map { result in
            guard case .failure(let error) = result else { return .delivered }
            if let known = failures[error.code] { return known }
            let outcome = EventOutcome(error)
            failures[error.code] = outcome
            return outcome
        }
    }
}
