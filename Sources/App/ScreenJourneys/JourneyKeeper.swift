import EventTracking
import FlowEvents
import GRDB

/// Does the I/O of a ``Journeys``, on a separate thread.
actor JourneyKeeper {
    private let path: String
    private let configuration: JourneysConfiguration
    private let onReport: @Sendable (JourneysReport) -> Void
    private let executor = BlockingExecutor(label: "flow-funnels.journeys")
    private var database: JourneyDatabase?
    private var knownOptOut: Bool?
    private var session: OpenSession?

    /// The current session.
    private struct OpenSession {
        var number: Int64
        var lastVisit: Timestamp
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(
        path: String,
        configuration: JourneysConfiguration,
        onReport: @escaping @Sendable (JourneysReport) -> Void
    ) {
        self.path = path
        self.configuration = configuration
        self.onReport = onReport
    }

    /// Writes the visits in the buffer.
    func drain(_ buffer: Locked<JourneyBuffer>) {
        let (visits, lost) = buffer.withLock { $0.take() }
        if lost > 0 { onReport(.overflow(count: lost)) }
        guard !visits.isEmpty, !isOptedOut else { return }
        do {
            let oldSession = session
            try withDatabase { database in
                session = oldSession
                let numbered = try visits.map { try number($0, in: database) }
                try database.append(numbered, keeping: configuration)
            }
        } catch {
            onReport(.notWritten(count: visits.count, reason: "\(error)"))
        }
    }

    /// Returns the stored visits, without those that have become too old since the last write.
    func history(since: Timestamp?, at now: Timestamp) throws(JourneysError) -> JourneyHistory {
        guard !isOptedOut else { return JourneyHistory(visits: []) }
        let oldest = now.before(milliseconds: configuration.maximumAge.wholeMilliseconds)
        return JourneyHistory(visits: try asking { try $0.visits(since: max(since ?? oldest, oldest)) })
    }

    /// Returns the number of the session that a visit at this time would belong to.
    func currentSession(at now: Timestamp) throws(JourneysError) -> Int64 {
        guard !isOptedOut else { return 0 }
        return try asking { try self.sessionNumber(at: now, in: $0) }
    }

    func close() {
        database = nil
    }

    private func number(_ visit: ScreenVisit, in database: JourneyDatabase) throws -> ScreenVisit {
        var visit = visit
        visit.session = try sessionNumber(at: visit.time, in: database)
        session = OpenSession(number: visit.session, lastVisit: visit.time)
        return visit
    }

    private func sessionNumber(at time: Timestamp, in database: JourneyDatabase) throws -> Int64 {
        guard let session else { return try database.lastSession() + 1 }
        let begins = Session.begins(at: time, after: session.lastVisit, timeout: configuration.sessionTimeout)
        return session.number + (begins ? 1 : 0)
    }
}

extension JourneyKeeper {
    /// Whether the user has opted out, in this run or an earlier one.
    var isOptedOut: Bool {
        let isOut = knownOptOut ?? JourneyFiles.exists(optOutMark)
        knownOptOut = isOut
        return isOut
    }

    func optOut() throws(JourneysError) {
        // In this order, so that no more visits are recorded even if a later step fails. The mark is not in the database,
        // so that a damaged database does not undo the opt-out.
        knownOptOut = true
        (database, session) = (nil, nil)
        try JourneyFiles.mark(optOutMark)
        try erase()
    }

    /// Deletes all visits.
    func erase() throws(JourneysError) {
        (database, session) = (nil, nil)
        for suffix in ["-wal", "-shm", "-journal", ""] {
            try JourneyFiles.remove(path + suffix)
            try JourneyFiles.remove(path + Self.damaged + suffix)
        }
    }

    func optIn() throws(JourneysError) {
        try JourneyFiles.remove(optOutMark)
        knownOptOut = false
    }

    private static let damaged = ".damaged"
    private var optOutMark: String { path + ".off" }

    private func asking<Answer>(
        _ body: (JourneyDatabase) throws -> Answer
    ) throws(JourneysError) -> Answer {
        do {
            return try withDatabase(body)
        } catch {
            throw (error as? JourneysError) ?? JourneysError(path: path, reason: "\(error)")
        }
    }

    /// Runs the body with the database. If the database is damaged, moves it away and tries once with a new one.
    private func withDatabase<Result>(_ body: (JourneyDatabase) throws -> Result) throws -> Result {
        do {
            return try body(opened())
        } catch let error as DatabaseError where error.isDamage {
            database = nil
            session = nil
            for suffix in ["-wal", "-shm", "-journal"] { try JourneyFiles.remove(path + Self.damaged + suffix) }
            try JourneyFiles.move(path, to: path + Self.damaged)
            for suffix in ["-wal", "-shm", "-journal"] { try JourneyFiles.remove(path + suffix) }
            onReport(.setAside(path: path + Self.damaged, reason: "\(error)"))
            return try body(opened())
        }
    }

    private func opened() throws -> JourneyDatabase {
        if let database { return database }
        let opened = try JourneyDatabase(path: path)
        database = opened
        return opened
    }
}

extension DatabaseError {
    /// Whether the file is damaged, or is not a database of this module.
    fileprivate var isDamage: Bool {
        switch resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT: true
        default: false
        }
    }
}
