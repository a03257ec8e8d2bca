public import FlowEvents

/// A period of use of an app, and the rule that begins the next one.
public struct Session: Sendable, Hashable {
    /// Identifies the session: a UUIDv7.
    public var id: String
    /// The time of the session's first event.
    public var start: Timestamp
    /// The time of the session's last event.
    public var lastEvent: Timestamp

    /// The greatest length of a session. An app that is used without a pause begins another one then.
    public static let maximumLength = Duration.seconds(86_400)

    /// Creates a session as of its last event.
    ///
    /// - Parameters:
    ///   - id: identifies the session.
    ///   - start: the time of the first event; that of the last one unless given.
    ///   - lastEvent: the time of the last event.
    public init(id: String, start: Timestamp? = nil, lastEvent: Timestamp) {
        self.id = id
        self.start = start ?? lastEvent
        self.lastEvent = lastEvent
    }

    /// Returns the session of an event; see ``begins(at:after:timeout:)`` for when a new one begins.
    ///
    /// - Parameters:
    ///   - moment: when the event happened.
    ///   - previous: the session of the previous event; `nil` for the first event of an install.
    ///   - timeout: how long a session lasts without events.
    ///   - isLaunch: whether this is the first event of a run. If its time is before the previous event, the clock was ahead
    ///     in an earlier run, and nobody knows how long the pause was: a new session begins.
    ///   - makeID: returns the id of a new session. It is called only if one begins.
    package static func session(
        at moment: Timestamp,
        after previous: Session?,
        timeout: Duration,
        isLaunch: Bool = false,
        makeID: (Timestamp) -> String
    ) -> Session {
        guard let previous, !begins(at: moment, after: previous.lastEvent, timeout: timeout),
            !isTooLong(from: previous.start, to: moment), !(isLaunch && wasAhead(previous.lastEvent, at: moment))
        else { return Session(id: makeID(moment), lastEvent: moment) }
        return Session(id: previous.id, start: previous.start, lastEvent: moment)
    }

    /// Whether an event begins a new session.
    ///
    /// It does if the times of the last event and this one differ by `timeout` or more, in either direction. If the clock was
    /// set back by less, it does not.
    package static func begins(at moment: Timestamp, after last: Timestamp, timeout: Duration) -> Bool {
        let (pause, overflow) = moment.milliseconds.subtractingReportingOverflow(last.milliseconds)
        return overflow || Duration.milliseconds(pause) >= timeout || Duration.milliseconds(pause) <= .zero - timeout
    }

    /// Whether a session that started at `start` has ended by ``maximumLength``.
    static func isTooLong(from start: Timestamp, to moment: Timestamp) -> Bool {
        let (length, overflow) = moment.milliseconds.subtractingReportingOverflow(start.milliseconds)
        return overflow || Duration.milliseconds(length) >= maximumLength
    }

    // Several processes of an app share a session, and their events can come a little out of order.
    private static let disorder: Int64 = 60_000

    private static func wasAhead(_ last: Timestamp, at moment: Timestamp) -> Bool {
        let (lead, overflow) = last.milliseconds.subtractingReportingOverflow(moment.milliseconds)
        return overflow || lead > disorder
    }
}

/// The sessions of a tracker since it was created.
public struct SessionProgress: Sendable, Hashable {
    /// The number of the session of the last tracked event; 0 before the first event.
    public var last: Int
    /// The number of the session of an event that is tracked now.
    public var next: Int
    /// How often tracking was switched on again. What was seen under another number must not be told any more.
    public var era: Int
    /// Whether tracking is off now.
    public var isOff: Bool

    /// Creates the progress.
    public init(last: Int, next: Int, era: Int = 0, isOff: Bool = false) {
        self.last = last
        self.next = next
        self.era = era
        self.isOff = isOff
    }
}

/// Counts sessions by the rule of ``Session`` when an event is tracked, before the event is stamped.
struct SessionCounter {
    private var last = 0
    private var lastMoment: Timestamp?
    private var start: Timestamp?

    func progress(at moment: Timestamp, timeout: Duration, isReset: Bool) -> SessionProgress {
        guard let lastMoment, let start, !isReset else { return SessionProgress(last: last, next: last + 1) }
        let begins =
            Session.begins(at: moment, after: lastMoment, timeout: timeout)
            || Session.isTooLong(from: start, to: moment)
        return SessionProgress(last: last, next: begins ? last + 1 : last)
    }

    mutating func add(_ entries: [TrackerBuffer.Entry], timeout: Duration) {
        for entry in entries { add(entry.moment, timeout: timeout, isReset: entry.beginsSession) }
    }

    mutating func add(_ moment: Timestamp, timeout: Duration, isReset: Bool) {
        let next = progress(at: moment, timeout: timeout, isReset: isReset).next
        if next != last { start = moment }
        last = next
        lastMoment = moment
    }
}
