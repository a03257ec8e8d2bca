public import FlowEvents

/// One stretch of use of an app, and the rule for when the next one begins.
public struct Session: Sendable, Hashable {
    /// Names the session: a UUIDv7.
    public var id: String
    /// The moment of the session's last event.
    public var lastEvent: Timestamp

    /// Creates a session as of its last event.
    public init(id: String, lastEvent: Timestamp) {
        self.id = id
        self.lastEvent = lastEvent
    }

    /// The session that an event belongs to.
    ///
    /// A new one begins when `timeout` or more lies between the last event and this one, by their own moments. A clock
    /// that was set back begins none: the time that passed is then not known.
    ///
    /// - Parameters:
    ///   - moment: when the event happened.
    ///   - previous: the session of the event before; `nil` for an install's first.
    ///   - timeout: how long a session lasts without an event.
    ///   - makeID: the id of a new session, asked for only when one begins.
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
