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
    /// A new session begins if the times of the last event and this one differ by `timeout` or more, see
    /// ``begins(at:after:timeout:)``.
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
        let begins = begins(at: moment, after: previous.lastEvent, timeout: timeout)
        return Session(id: begins ? makeID(moment) : previous.id, lastEvent: moment)
    }

    /// Whether an event begins a new session.
    ///
    /// It does if the times of the last event and this one differ by `timeout` or more. If the clock was set back, it does
    /// not, because the elapsed time is unknown.
    package static func begins(at moment: Timestamp, after last: Timestamp, timeout: Duration) -> Bool {
        let (pause, overflow) = moment.milliseconds.subtractingReportingOverflow(last.milliseconds)
        return !overflow && .milliseconds(pause) >= timeout
    }
}

/// The sessions of a tracker since it was created.
public struct SessionProgress: Sendable, Hashable {
    /// The number of the session of the last tracked event; 0 before the first event.
    public var last: Int
    /// The number of the session of an event that is tracked now.
    public var next: Int

    /// Creates the progress.
    public init(last: Int, next: Int) {
        self.last = last
        self.next = next
    }
}

/// Counts sessions by the rule of ``Session`` when an event is tracked, before the event is stamped.
struct SessionCounter {
    private var last = 0
    private var lastMoment: Timestamp?

    func progress(at moment: Timestamp, timeout: Duration, isReset: Bool) -> SessionProgress {
        guard let lastMoment, !isReset else { return SessionProgress(last: last, next: last + 1) }
        let begins = Session.begins(at: moment, after: lastMoment, timeout: timeout)
        return SessionProgress(last: last, next: begins ? last + 1 : last)
    }

    mutating func add(_ entries: [TrackerBuffer.Entry], timeout: Duration) {
        for entry in entries { add(entry.moment, timeout: timeout, isReset: entry.beginsSession) }
    }

    mutating func add(_ moment: Timestamp, timeout: Duration, isReset: Bool) {
        last = progress(at: moment, timeout: timeout, isReset: isReset).next
        lastMoment = moment
    }
}
