public import FlowEvents

/// Why an event that was tracked will not be delivered.
public enum DropReason: Sendable, Hashable {
    /// It breaks a rule of the contract, and was never queued.
    case invalid(DeadLetterReason)
    /// It was the oldest when the queue was full.
    case queueFull
    /// It was older than the queue on the device keeps events.
    case expired
    /// The app's ``EventFilter`` has dropped it.
    case filtered
    /// Tracking was switched off: it was tracked then, or still queued. Nothing of it leaves the device.
    case optedOut
    /// The device could not store it: full, or not writable.
    case notStored
    /// The queue on the device was damaged while it was in there.
    case damaged
    /// The sink will never take it; the code of the ``SinkFailure`` says why.
    case rejected(code: String)
    /// It was still queued at the deadline of the shutdown, or was tracked after the shutdown.
    case shutdown
    /// It was on its way at the deadline of the shutdown: the sink may have delivered it.
    case unconfirmed
}

extension DropReason {
    /// The reason's name, for counting: short and stable.
    public var code: String {
        switch self {
        case .invalid(let reason): reason.rawValue
        case .queueFull: "queue_full"
        case .expired: "expired"
        case .filtered: "filtered"
        case .optedOut: "opted_out"
        case .notStored: "not_stored"
        case .damaged: "damaged"
        case .rejected(let code): "rejected_\(code)"
        case .shutdown: "shutdown"
        case .unconfirmed: "unconfirmed"
        }
    }
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
