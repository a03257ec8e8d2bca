/// What became of the events of one ``Tracker`` since it was made.
public struct TrackerStatistics: Sendable, Hashable {
    /// How many were tracked. With a queue on the device: how many are or were in it, those of earlier runs that this
    /// one found there included; an event counts when it is on the disk.
    public var tracked = 0
    /// How many the sink has delivered.
    public var delivered = 0
    /// How many will not be delivered, by reason.
    public var dropped: [DropReason: Int] = [:]

    /// Creates the statistics of a tracker that has seen nothing.
    public init() {}

    /// How many are still with the tracker or on their way.
    public var queued: Int { tracked - delivered - droppedCount }

    /// How many will not be delivered, for any reason.
    public var droppedCount: Int { dropped.values.reduce(0, +) }
}

/// What a tracker could and could not deliver by the end of its shutdown.
public struct ShutdownReport: Sendable, Hashable {
    /// Everything since the tracker was made.
    public var statistics: TrackerStatistics

    /// Creates a report.
    public init(statistics: TrackerStatistics) {
        self.statistics = statistics
    }

    /// How many events were given up before the sink got them.
    public var unsent: Int { statistics.dropped[.shutdown] ?? 0 }

    /// How many events the sink got and did not answer for in time: it may have delivered them.
    public var unconfirmed: Int { statistics.dropped[.unconfirmed] ?? 0 }

    /// Whether nothing was given up for the shutdown.
    public var isComplete: Bool { unsent == 0 && unconfirmed == 0 }
}

/// Something that a tracker has to say to whoever runs it: for a log, a metric, or a test.
public enum TrackerReport: Sendable {
    /// Events will not be delivered.
    case dropped(Drop)
    /// The sink did not take events that it may take later. They are sent again, not before the delay has passed.
    case retrying(events: Int, delay: Duration, SinkFailure)
    /// The sink takes nothing until somebody changes something, such as the write key; then call ``Tracker/resume()``.
    case paused(events: Int, SinkFailure)
    /// The queue on the device is in trouble; the error says what follows.
    case storage(any Error)
    /// The identity could not be read or kept; see ``IdentityStoreError`` for what follows.
    case identity(any Error)
}
