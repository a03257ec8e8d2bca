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
