public import FlowEvents

/// A period of use of an app, and the rule that begins the next one.
public struct Session: Sendable, Hashable {
    /// Identifies the session: a UUIDv7.
    public var id: String
    /// The time of the session's last event.
    public var lastEvent: Timestamp

    /// Creates a session as of its last event.
    public init(id: String, lastEvent: Timestamp) {
        self.id = id
        self.lastEvent = lastEvent
    }

    /// Returns the session of an event.
    ///
    /// A new session begins if the times of the last event and this one differ by `timeout` or more. If the clock was set
    /// back, no session begins, because the elapsed time is unknown.
    ///
    /// - Parameters:
    ///   - moment: when the event happened.
    ///   - previous: the session of the previous event; `nil` for the first event of an install.
    ///   - timeout: how long a session lasts without events.
    ///   - makeID: returns the id of a new session. It is called only if one begins.
    package static func session(
        at moment: Timestamp,
        after previous: Session?,
        timeout: Duration,
        makeID: (Timestamp) -> String
    ) -> Session {
        guard let previous else { return Session(id: makeID(moment), lastEvent: moment) }
        let (pause, overflow) = moment.milliseconds.subtractingReportingOverflow(previous.lastEvent.milliseconds)
        let isOver = !overflow && .milliseconds(pause) >= timeout
        return Session(id: isOver ? makeID(moment) : previous.id, lastEvent: moment)
    }
}
