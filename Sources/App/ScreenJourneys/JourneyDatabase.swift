import FlowEvents
import Foundation
import GRDB

/// The SQLite database of visits. Every method runs one transaction and blocks.
struct JourneyDatabase {
    /// Identifies the file in its header: `FFJ1`.
    private static let applicationID = 0x4646_4A31
    private let queue: DatabaseQueue

    /// Opens a database, and creates it if necessary.
    ///
    /// - Throws: GRDB's `DatabaseError`; with `SQLITE_CORRUPT` or `SQLITE_NOTADB` if the file is damaged or
    ///   belongs to another program.
    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "flow-funnels.journeys"
        configuration.prepareDatabase { database in
            // A crash of the app loses no committed visit. A power failure may lose the last commits.
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            // Deleted visits must not stay readable in the file.
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write(Self.prepare)
    }

    private static func prepare(_ database: Database) throws {
        let id = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        if id == applicationID, !isEmpty {
            // Reads every page, to find damage now and not in a later query. A file has at most a few MB.
            let verdict = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
            guard verdict == "ok" else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict)
            }
            return try addItems(database)
        }
        guard isEmpty else {
            throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "the file is another program's database")
        }
        try database.execute(
            sql: """
                CREATE TABLE visits(
                    id INTEGER PRIMARY KEY,
                    session INTEGER NOT NULL,
                    time INTEGER NOT NULL,
                    screen TEXT NOT NULL,
                    transition TEXT,
                    is_paywall INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX visits_by_time ON visits(time);
                PRAGMA application_id = \(applicationID);
                """
        )
        try addItems(database)
    }

    /// Adds the column that files of earlier versions do not have.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_MISUSE` if a later version has written the file. The file stays as it is.
    private static func addItems(_ database: Database) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard version <= 1 else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "a later version of the app has written the file")
        }
        guard version == 0 else { return }
        try database.execute(sql: "ALTER TABLE visits ADD COLUMN item TEXT; PRAGMA user_version = 1")
    }

    /// Adds visits, and deletes visits beyond the maximum number or age.
    func append(_ visits: [ScreenVisit], keeping configuration: JourneysConfiguration) throws {
        try queue.write { database in
            let insert = try database.cachedStatement(
                sql: "INSERT INTO visits(session, time, screen, transition, is_paywall, item) VALUES (?, ?, ?, ?, ?, ?)"
            )
            for visit in visits {
                try insert.execute(arguments: [
                    visit.session, visit.time.milliseconds, visit.screen, visit.transition, visit.isPaywall, visit.item,
                ])
            }
            guard let newest = visits.map(\.time).max() else { return }
            let oldest = newest.before(milliseconds: configuration.maximumAge.wholeMilliseconds)
            try database.execute(sql: "DELETE FROM visits WHERE time < ?", arguments: [oldest.milliseconds])
            try database.execute(
                sql: """
                    DELETE FROM visits WHERE id <= (SELECT id FROM visits ORDER BY id DESC LIMIT 1 OFFSET ?)
                    """,
                arguments: [configuration.maximumCount]
            )
        }
    }

    /// Returns the visits since a time, in the order in which they were recorded.
    func visits(since: Timestamp) throws -> [ScreenVisit] {
        try queue.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT screen, time, transition, is_paywall, item, session FROM visits WHERE time >= ? ORDER BY id
                    """,
                arguments: [since.milliseconds]
            )
            return try Array(
                rows.map { row in
                    ScreenVisit(
                        screen: row[0],
                        time: Timestamp(milliseconds: row[1]),
                        transition: row[2],
                        isPaywall: row[3],
                        item: row[4],
                        session: row[5]
                    )
                }
            )
        }
    }

    /// Returns the number of the last session; 0 if there is none.
    func lastSession() throws -> Int64 {
        try queue.read { try Int64.fetchOne($0, sql: "SELECT session FROM visits ORDER BY id DESC LIMIT 1") ?? 0 }
    }
}
