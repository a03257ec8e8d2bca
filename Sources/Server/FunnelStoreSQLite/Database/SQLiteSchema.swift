import FunnelStore
import GRDBSQLite

/// The tables of a store and their version.
///
/// The application id and the version are in the file's header, so they can be checked before any table is read or
/// written. GRDB's `DatabaseMigrator` would first have to create a table of its own in every file, also in one that
/// belongs to another program.
enum SQLiteSchema {
    /// "fnls" in ASCII, the [application id](https://www.sqlite.org/pragma.html#pragma_application_id) of a store's
    /// file.
    static let applicationID: Int64 = 0x666E_6C73
    /// "flow" in ASCII, the application id of the stores before version 1, which this program cannot read.
    static let oldApplicationID: Int64 = 0x666C_6F77
    /// The version that this program reads and writes.
    static let version: Int64 = 10

    // How an older store makes room for a new one.
    private static let removal = "move the file away"

    /// Creates the tables of a new store.
    ///
    /// - identity: `generation` is the number of rebuilds, see FunnelRebuilding. `topic_id`, `partition_count` and
    ///   `greatest_lateness` are null until a consumer knows them, `horizon` until evidence is removed. `erasure_key` is the
    ///   key of the hashes in `erased_installs`. `is_vacuum_due` is 1 while the file may have traces of an erased install.
    /// - partitions: `floor` is null in a partition that is as old as the store, `read_at` until a consumer has read it.
    /// - installs, history: rowid tables with an index write 1.6 to 1.8 times as many rows per second as tables WITHOUT
    ///   ROWID, whose trees move the states themselves.
    /// - row_log: of each commit, the patches of the rows in `installs`, see LoggedRows.
    /// - segments: the order of the ids is the order in which segments were added. `by_value` is 1 if `value` is a
    ///   breakdown value, which may be empty, and 0 if the segment is of all actors.
    /// - result_counts: the counts of the summary, see OutcomeCount. The value is empty for all actors. `shown` is the value as
    ///   funnel_results shows it, null where that is the value itself.
    /// - beginnings: the funnels that were counted when the topic's first records were already deleted. `first_known` is
    ///   the first day that was read where a funnel counts first entries.
    static let tables = """
        CREATE TABLE identity(
            id INTEGER PRIMARY KEY CHECK (id = 1),
            cluster_id TEXT NOT NULL,
            topic TEXT NOT NULL,
            topic_id TEXT,
            generation INTEGER NOT NULL DEFAULT 0,
            partition_count INTEGER,
            greatest_lateness INTEGER,
            horizon INTEGER,
            erasure_key BLOB NOT NULL,
            is_vacuum_due INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE erased_installs(
            hash BLOB PRIMARY KEY
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE funnels(
            position INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            definition TEXT NOT NULL
        ) STRICT;
        CREATE TABLE time_zones(
            name TEXT PRIMARY KEY,
            transitions BLOB NOT NULL
        ) STRICT;
        CREATE TABLE beginnings(
            funnel TEXT PRIMARY KEY,
            first_day INTEGER,
            first_known INTEGER
        ) STRICT;
        CREATE TABLE partitions(
            partition INTEGER PRIMARY KEY,
            next_offset INTEGER NOT NULL,
            floor INTEGER,
            watermark INTEGER,
            is_at_end INTEGER NOT NULL,
            last_offset INTEGER,
            last_timestamp INTEGER,
            last_checksum INTEGER,
            read_at INTEGER,
            \(QualityColumns.names.map { "\($0) INTEGER NOT NULL" }.joined(separator: ",\n    "))
        ) STRICT;
        CREATE TABLE installs(
            id INTEGER PRIMARY KEY,
            install BLOB NOT NULL UNIQUE,
            version INTEGER NOT NULL,
            state BLOB NOT NULL
        ) STRICT;
        CREATE TABLE history(
            id INTEGER PRIMARY KEY,
            install BLOB NOT NULL,
            number INTEGER NOT NULL,
            state BLOB NOT NULL,
            UNIQUE (install, number)
        ) STRICT;
        CREATE TABLE row_log(
            id INTEGER PRIMARY KEY,
            patches BLOB NOT NULL
        ) STRICT;
        CREATE TABLE segments(
            id INTEGER PRIMARY KEY,
            funnel INTEGER NOT NULL,
            by_value INTEGER NOT NULL,
            day INTEGER NOT NULL,
            value BLOB NOT NULL,
            attempts BLOB NOT NULL
        ) STRICT;
        CREATE INDEX segments_by_key ON segments(funnel, by_value, day, value);
        CREATE TABLE result_counts(
            funnel INTEGER NOT NULL,
            by_value INTEGER NOT NULL,
            day INTEGER NOT NULL,
            value BLOB NOT NULL,
            previous_gap INTEGER NOT NULL,
            next_gap INTEGER NOT NULL,
            outcome INTEGER NOT NULL,
            actors INTEGER NOT NULL,
            shown BLOB,
            PRIMARY KEY (funnel, by_value, day, value, previous_gap, next_gap, outcome)
        ) STRICT, WITHOUT ROWID;
        CREATE VIEW funnel_results(funnel, value, day, previous_day, next_day, depth, actors) AS
        SELECT f.name,
            iif(r.by_value, CAST(coalesce(r.shown, r.value) AS TEXT), NULL),
            date(r.day * 86400, 'unixepoch'),
            iif(r.previous_gap = 0, NULL, date((r.day - r.previous_gap) * 86400, 'unixepoch')),
            iif(r.next_gap = 0, NULL, date((r.day + r.next_gap) * 86400, 'unixepoch')),
            r.outcome & 63, r.actors
        FROM result_counts r JOIN funnels f ON f.position = r.funnel;
        """

    /// Checks the store in a file, without changing the file.
    ///
    /// - Returns: whether there is a store; `false` for an empty file.
    /// - Throws: `StoreError` with `StoreError.Code.unusable` if the file belongs to another program, with
    ///   `StoreError.Code.older` or `StoreError.Code.newer` if another version of this program wrote it; and SQLite's
    ///   errors.
    static func hasStore(_ connection: OpaquePointer, _ location: SQLiteStoreLocation) throws -> Bool {
        let version = try number("PRAGMA user_version", connection)
        switch try number("PRAGMA application_id", connection) {
        case applicationID:
            try location.checkIsKnown(version, known: self.version, removal: removal)
            return true
        case oldApplicationID:
            throw location.olderStore(removal)
        case 0 where try version == 0 && number("SELECT count(*) FROM sqlite_schema", connection) == 0:
            return false
        default:
            throw StoreError.unusable(
                "\(location.name) is an SQLite database of another program: use another store, or move the file away"
            )
        }
    }

    private static func number(_ sql: String, _ connection: OpaquePointer) throws -> Int64 {
        var result: Int64 = 0
        try SQLiteStatement(connection, sql).forEachRow { result = $0.integer(0) }
        return result
    }
}
