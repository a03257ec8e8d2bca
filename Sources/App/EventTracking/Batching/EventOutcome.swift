/// The result of sending one event to an ``EventSink``.
public enum EventOutcome: Sendable, Hashable {
    /// The sink has delivered the event. The tracker removes it.
    case delivered
    /// The sink will never take the event. The tracker drops it, counts it by the code of the failure, and reports it.
    case rejected(SinkFailure)
    /// The sink could not take the event now. The tracker sends the same bytes again after its backoff, and after the
    /// duration `after` if the sink asks for one, as HTTP's `Retry-After` does.
    case retry(SinkFailure, after: Duration? = nil)
    /// The sink takes no events until its configuration changes, for example because the write key is not valid. The
    /// tracker keeps the event, reports the pause, and sends nothing until ``Tracker/resume()`` or the next launch.
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
    /// The name of the failure, for programs and metrics, such as `MSG_SIZE_TOO_LARGE`. Use a small set of fixed names.
    public var code: String
    /// The cause and the remedy, for people. It must not contain values from the event.
    public var detail: String

    /// Creates a failure.
    public init(code: String, detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The code and the detail in one line.
    public var description: String { "\(code): \(detail)" }
}

extension SinkFailure {
    /// The failure of an event for which the sink returned no outcome.
    package static let noOutcome = SinkFailure(
        code: "no_outcome",
        detail: "the sink returned fewer outcomes than events; it must return one outcome for each event"
    )
}
