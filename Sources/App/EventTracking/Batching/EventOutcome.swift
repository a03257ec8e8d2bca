/// What became of one event that was given to an ``EventSink``.
public enum EventOutcome: Sendable, Hashable {
    /// The sink has it for good; the tracker forgets it.
    case delivered
    /// The sink will never take it. The tracker drops it, counts it under the failure's code, and reports it.
    case rejected(SinkFailure)
    /// The sink could not take it now. The tracker sends the same bytes again, after its own backoff and not before
    /// `after` has passed, where the sink names a time (as HTTP's `Retry-After` does).
    case retry(SinkFailure, after: Duration? = nil)
    /// The sink will take nothing more until somebody changes something, such as a write key that is not valid. The
    /// tracker keeps the event, reports it and stops sending until ``Tracker/resume()``, or until the next start.
    case pause(SinkFailure)
}

extension EventOutcome {
    /// Whether the tracker keeps the event, to send it again.
    package var keepsEvent: Bool {
        switch self {
        case .retry, .pause: true
        case .delivered, .rejected: false
        }
    }
}

/// Why a sink did not take an event.
public struct SinkFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The failure's name, for programs and for counting: short, stable, and one of few, such as `MSG_SIZE_TOO_LARGE`.
    public var code: String
    /// What happened and what to do, for people. It must not hold what the event says.
    public var detail: String

    /// Creates a failure.
    public init(code: String, detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Code and detail in one line.
    public var description: String { "\(code): \(detail)" }
}

extension SinkFailure {
    /// The failure of an event for which the sink returned no outcome.
    package static let noOutcome = SinkFailure(
        code: "no_outcome",
        detail: "the sink returned fewer outcomes than events; it must return one outcome for each event"
    )
}
