public import Events

/// Why an event that was tracked will not be delivered.
public enum DropReason: Sendable, Hashable {
    /// It breaks a rule of the contract, and was never queued.
    case invalid(DeadLetterReason)
    /// It was the oldest when the queue was full.
    case queueFull
    /// The sink will never take it; the code of the ``SinkFailure`` says why.
    case rejected(code: String)
    /// It was still queued at the deadline of the shutdown, or was tracked after the shutdown.
    case shutdown
    /// It was on its way at the deadline of the shutdown: the sink may have delivered it.
    case unconfirmed
}

/// Events that were dropped together.
public struct Drop: Sendable, Hashable {
    /// Why.
    public var reason: DropReason
    /// How many; at least 1.
    public var count: Int
    /// What more is known, for people; of the first event, where there are several. Never what an event says.
    public var detail: String?

    /// Creates a report of a drop.
    public init(reason: DropReason, count: Int, detail: String? = nil) {
        self.reason = reason
        self.count = count
        self.detail = detail
    }
}
