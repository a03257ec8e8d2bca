/// The number of tracked, delivered and dropped events of a ``Tracker`` since its creation.
public struct TrackerStatistics: Sendable, Hashable {
    /// The number of tracked events. With a queue on the device, an event counts when it is on the disk, and the events of
    /// earlier runs that are still in the queue count too.
    public var tracked = 0
    /// The number of events that the sink has delivered.
    public var delivered = 0
    /// The number of events that will not be delivered, by reason.
    public var dropped: [DropReason: Int] = [:]

    /// Creates statistics in which all numbers are 0.
    public init() {}

    /// The number of events that are queued or in flight.
    public var queued: Int { tracked - delivered - droppedCount }

    /// The number of events that will not be delivered, for any reason.
    public var droppedCount: Int { dropped.values.reduce(0, +) }
}

/// The events that a tracker delivered and dropped by the end of its shutdown.
public struct ShutdownReport: Sendable, Hashable {
    /// The statistics since the creation of the tracker.
    public var statistics: TrackerStatistics

    /// Creates a report.
    public init(statistics: TrackerStatistics) {
        self.statistics = statistics
    }

    /// The number of events that were dropped before they were sent. Those that a queue on the device keeps for the next
    /// run are not dropped; those that it could not store are.
    public var unsent: Int { (statistics.dropped[.shutdown] ?? 0) + (statistics.dropped[.notStored] ?? 0) }

    /// The number of events that were sent, and whose outcome was unknown at the deadline. The sink may have delivered them.
    public var unconfirmed: Int { statistics.dropped[.unconfirmed] ?? 0 }

    /// Whether no event was dropped at the deadline.
    public var isComplete: Bool { unsent == 0 && unconfirmed == 0 }
}

/// A report of a tracker, for a log, a metric, or a test.
public enum TrackerReport: Sendable {
    /// Events were dropped.
    case dropped(Drop)
    /// A value was left out, because the event format cannot carry it. The events are sent without it.
    case omitted(Omission)
    /// The sink could not take events now. They are sent again after the delay.
    case retrying(events: Int, delay: Duration, SinkFailure)
    /// The sink takes no events until its configuration changes, such as the write key. Then call ``Tracker/resume()``.
    case paused(events: Int, SinkFailure)
    /// The sink has refused a request to erase; see ``Tracker/requestErasure()``. The request stays on the device, and the next
    /// launch sends it again. Find out why: a person waits for it.
    case erasureRefused(SinkFailure)
    /// The queue on the device could not read or write its files. The error describes the consequence.
    case storage(any Error)
    /// The identity could not be loaded or saved; see ``IdentityStoreError``.
    case identity(any Error)
}
