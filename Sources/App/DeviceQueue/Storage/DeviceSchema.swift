import EventTracking
import GRDB

/// The tables of a queue's database.
enum DeviceSchema {
    static let version = steps.count

    // The migrations from each version to the next. A released migration never changes. AUTOINCREMENT never reuses row
    // numbers of events, so a late acknowledgment after a purge matches no row.
    static let steps = [
        """
        CREATE TABLE event (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            run INTEGER NOT NULL,
            event_id TEXT NOT NULL,
            key BLOB NOT NULL,
            value BLOB NOT NULL,
            bytes INTEGER NOT NULL,
            stored_at INTEGER NOT NULL,
            lost_reason TEXT,
            lost_count INTEGER
        );
        CREATE TABLE run_offset (
            run INTEGER PRIMARY KEY,
            milliseconds INTEGER NOT NULL,
            after_event INTEGER NOT NULL
        );
        CREATE TABLE state (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            install_id TEXT NOT NULL,
            next_sequence INTEGER NOT NULL DEFAULT 0,
            session_id TEXT,
            last_event INTEGER,
            bytes INTEGER NOT NULL DEFAULT 0,
            sent_through INTEGER NOT NULL DEFAULT 0,
            flight_first INTEGER NOT NULL DEFAULT 0,
            flight_last INTEGER NOT NULL DEFAULT -1,
            failures INTEGER NOT NULL DEFAULT 0,
            saved_at INTEGER NOT NULL DEFAULT 0,
            backoff INTEGER NOT NULL DEFAULT 0,
            sink_wait INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE loss (reason TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE quarantine (
            id INTEGER PRIMARY KEY,
            event_id TEXT NOT NULL,
            value BLOB NOT NULL,
            code TEXT NOT NULL,
            detail TEXT NOT NULL
        );
        """,
        // Each run has its own row, because two processes would overwrite a shared one.
        """
        CREATE TABLE flight (
            run INTEGER PRIMARY KEY,
            first_row INTEGER NOT NULL,
            last_row INTEGER NOT NULL,
            noted_at INTEGER NOT NULL
        );
        ALTER TABLE state DROP COLUMN flight_first;
        ALTER TABLE state DROP COLUMN flight_last;
        """,
        """
        ALTER TABLE state ADD COLUMN session_start INTEGER;
        ALTER TABLE state ADD COLUMN user_id TEXT;
        """,
    ]

    /// Creates the tables of a new file, or migrates those of an older one.
    ///
    /// - Returns: whether the file is new.
    /// - Throws: `NewerVersion` for a file of a newer release.
    static func prepare(_ database: Database, newInstallID: () -> String) throws -> Bool {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard found <= version else { throw NewerVersion(found: found, known: version) }
        guard found < version else { return false }
        for step in steps[found...] { try database.execute(sql: step) }
        try database.execute(sql: "PRAGMA user_version = \(version)")
        guard found == 0 else { return false }
        try database.execute(sql: "INSERT INTO state(only, install_id) VALUES (1, ?)", arguments: [newInstallID()])
        return true
    }
}
