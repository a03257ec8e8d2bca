import FunnelStore
import GRDBSQLite

/// The tables of a store and their versions.
///
/// The application id and the version are in the file's header, so they can be checked before any table is read or
/// written. GRDB's `DatabaseMigrator` would first have to create a table of its own in every file, also in one that
/// belongs to another program.
enum SQLiteSchema {
    /// "flow" in ASCII, the [application id](https://www.sqlite.org/pragma.html#pragma_application_id) of a store's
    /// file.
    static let applicationID: Int64 = 0x666C_6F77
    /// The version that this program writes: the number of ``steps``.
    static let version = Int64(steps.count)

    /// The statements that lead from each version to the next. Never change a released step; add another one.
    static let steps = [
        // installs: a rowid table with an index writes 1.6 to 1.8 times as many rows per second as a table WITHOUT
        // ROWID, whose tree moves the states themselves.
        // segments: the order of the ids is the order in which segments were added. by_value is 1 if value is a
        // breakdown value, which may be empty, and 0 if the segment is of all actors.
        """
        CREATE TABLE identity(
            id INTEGER PRIMARY KEY CHECK (id = 1),
            cluster_id TEXT NOT NULL,
            topic TEXT NOT NULL
        ) STRICT;
        CREATE TABLE funnels(
            position INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            definition TEXT NOT NULL
        ) STRICT;
        CREATE TABLE partitions(
            partition INTEGER PRIMARY KEY,
            next_offset INTEGER NOT NULL,
            watermark INTEGER,
            events INTEGER NOT NULL,
            duplicates INTEGER NOT NULL,
            late INTEGER NOT NULL,
            dead_letters INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE installs(
            id INTEGER PRIMARY KEY,
            install BLOB NOT NULL UNIQUE,
            version INTEGER NOT NULL,
            state BLOB NOT NULL
        ) STRICT;
        CREATE TABLE segments(
            id INTEGER PRIMARY KEY,
            funnel INTEGER NOT NULL,
            by_value INTEGER NOT NULL,
            day INTEGER NOT NULL,
            value BLOB NOT NULL,
            body BLOB NOT NULL
        ) STRICT;
        CREATE INDEX segments_by_key ON segments(funnel, by_value, day, value);
        """,
        // generation: the number of rebuilds, see FunnelRebuilding.
        // beginnings: the funnels that were counted when the topic's first records were already deleted.
        """
        ALTER TABLE identity ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE beginnings(
            funnel TEXT PRIMARY KEY,
            first_day INTEGER NOT NULL
        ) STRICT;
        """,
        // capped: the number of installs with too many events.
        "ALTER TABLE partitions ADD COLUMN capped INTEGER NOT NULL DEFAULT 0",
        // has_all_sequences: 0 for a store that was begun by a version without sequence numbers.
        """
        ALTER TABLE identity ADD COLUMN has_all_sequences INTEGER NOT NULL DEFAULT 1;
        UPDATE identity SET has_all_sequences = 0;
        ALTER TABLE partitions ADD COLUMN expected INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE partitions ADD COLUMN missing INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE partitions ADD COLUMN unread INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE partitions ADD COLUMN dropped_queue_full INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE partitions ADD COLUMN dropped_expired INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE partitions ADD COLUMN dropped_not_stored INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE partitions ADD COLUMN dropped_rejected INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE partitions ADD COLUMN dropped_other INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE partitions ADD COLUMN unchecked INTEGER NOT NULL DEFAULT 0;
        """,
        // The segments get a new encoding, see SQLiteFunnelStore.migrate. The column gets a new name, so that an older
        // program fails instead of misreading them.
        "ALTER TABLE segments RENAME COLUMN body TO attempts",
        // history: see HistoryRow. Like installs a rowid table: new blocks are appended, and the index is small.
        // topic_id, partition_count, greatest_lateness: null until a consumer knows them.
        // beginnings: first_known is the first day that was read where a funnel counts first entries.
        // result_counts: the contents of funnel_results, see ResultCount. SQLiteFunnelStore.migrate fills it. The value is
        // empty for all actors.
        """
        CREATE TABLE history(
            id INTEGER PRIMARY KEY,
            install BLOB NOT NULL,
            number INTEGER NOT NULL,
            state BLOB NOT NULL,
            UNIQUE (install, number)
        ) STRICT;
        ALTER TABLE partitions ADD COLUMN is_at_end INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE partitions ADD COLUMN last_offset INTEGER;
        ALTER TABLE partitions ADD COLUMN last_timestamp INTEGER;
        ALTER TABLE partitions ADD COLUMN last_checksum INTEGER;
        ALTER TABLE identity ADD COLUMN topic_id TEXT;
        ALTER TABLE identity ADD COLUMN partition_count INTEGER;
        ALTER TABLE identity ADD COLUMN greatest_lateness INTEGER;
        CREATE TABLE time_zones(
            name TEXT PRIMARY KEY,
            transitions BLOB NOT NULL
        ) STRICT;
        ALTER TABLE beginnings RENAME TO old_beginnings;
        CREATE TABLE beginnings(
            funnel TEXT PRIMARY KEY,
            first_day INTEGER,
            first_known INTEGER
        ) STRICT;
        INSERT INTO beginnings(funnel, first_day) SELECT funnel, first_day FROM old_beginnings;
        DROP TABLE old_beginnings;
        CREATE TABLE result_counts(
            funnel INTEGER NOT NULL,
            by_value INTEGER NOT NULL,
            day INTEGER NOT NULL,
            value BLOB NOT NULL,
            previous_gap INTEGER NOT NULL,
            next_gap INTEGER NOT NULL,
            depth INTEGER NOT NULL,
            actors INTEGER NOT NULL,
            PRIMARY KEY (funnel, by_value, day, value, previous_gap, next_gap, depth)
        ) STRICT, WITHOUT ROWID;
        CREATE VIEW funnel_results(funnel, value, day, previous_day, next_day, depth, actors) AS
        SELECT f.name,
            iif(r.by_value, CAST(r.value AS TEXT), NULL),
            date(r.day * 86400, 'unixepoch'),
            iif(r.previous_gap = 0, NULL, date((r.day - r.previous_gap) * 86400, 'unixepoch')),
            iif(r.next_gap = 0, NULL, date((r.day + r.next_gap) * 86400, 'unixepoch')),
            r.depth, r.actors
        FROM result_counts r JOIN funnels f ON f.position = r.funnel;
        """,
        // row_log: of each commit, the patches of the rows in `installs`, see LoggedRows. An older
        // program would take the rows themselves for the newest ones; the store's version keeps it out.
        """
        CREATE TABLE row_log(
            id INTEGER PRIMARY KEY,
            patches BLOB NOT NULL
        ) STRICT;
        """,
    ]

    /// The segments of older stores contain single attempts instead of columns.
    static let firstVersionWithColumns: Int64 = 5
    /// Older stores have no counts for the view.
    static let firstVersionWithResultCounts: Int64 = 6

    /// Reads the version of the store in a file, without changing the file.
    ///
    /// - Returns: `nil` for an empty file.
    /// - Throws: `StoreError` with `StoreError.Code.unusable` if the file belongs to another program, or with
    ///   `StoreError.Code.newer`; and SQLite's errors.
    static func version(of connection: OpaquePointer, _ location: SQLiteStoreLocation) throws -> Int64? {
        let application = try number("PRAGMA application_id", connection)
        let version = try number("PRAGMA user_version", connection)
        if application == applicationID {
            try location.checkIsKnown(version, known: self.version)
            return version
        }
        guard application == 0, version == 0, try number("SELECT count(*) FROM sqlite_schema", connection) == 0 else {
            throw StoreError.unusable(
                "\(location.name) is an SQLite database of another program: use another store, or move the file away"
            )
        }
        return nil
    }

    private static func number(_ sql: String, _ connection: OpaquePointer) throws -> Int64 {
        var result: Int64 = 0
        try SQLiteStatement(connection, sql).forEachRow { result = $0.integer(0) }
        return result
    }
}
