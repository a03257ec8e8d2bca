public import FlowEvents

/// Why a tracked event will not be delivered.
public enum DropReason: Sendable, Hashable {
    /// The event breaks one of the rules of `EventRules`. It was never queued.
    case invalid(DeadLetterReason)
    /// The queue was full, and this was its oldest event.
    case queueFull
    /// The event was older than the maximum age of the queue on the device.
    case expired
    /// The app's ``EventFilter`` dropped the event.
    case filtered
    /// The event was tracked while tracking was off, or was queued when tracking was switched off. It never leaves the
    /// device.
    case optedOut
    /// The event was queued, or was being tracked, when the user asked to be erased; see ``Tracker/requestErasure()``. It never
    /// leaves the device.
    case erased
    /// The device could not store the event: the disk was full or not writable.
    case notStored
    /// The event was in a queue on the device that was damaged.
    case damaged
    /// The sink rejected the event, with the code of a ``SinkFailure``.
    case rejected(code: String)
    /// The event was still queued at the deadline of the shutdown, or was tracked after the shutdown.
    case shutdown
    /// The event was in flight at the deadline of the shutdown. The sink may have delivered it.
    case unconfirmed
}

extension DropReason {
    /// The name of the reason, for metrics. It is short and does not change.
    public var code: String {
        switch self {
        case .invalid(let reason): reason.rawValue
        case .queueFull: "queue_full"
        case .expired: "expired"
        case .filtered: "filtered"
        case .optedOut: "opted_out"
        case .erased: "erased"
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
    /// Why the events were dropped.
    public var reason: DropReason
    /// The number of events; at least 1.
    public var count: Int
    /// Details for people, about the first event if there are several. It never contains values from an event.
    public var detail: String?

    /// Creates a report of a drop.
    public init(reason: DropReason, count: Int, detail: String? = nil) {
        self.reason = reason
        self.count = count
        self.detail = detail
    }
}
