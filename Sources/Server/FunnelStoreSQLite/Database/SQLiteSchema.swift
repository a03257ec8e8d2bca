import FunnelStore
import GRDBSQLite

/// The tables of a store and their versions.
///
/// Both marks stand in the file's header, so that what is not ours or is newer is known before a table is touched;
/// GRDB's `DatabaseMigrator` keeps them in a table of its own, which a foreign file would first have to be given.
enum StoreSchema {
    /// "flow" in ASCII, [SQLite's mark](https://www.sqlite.org/pragma.html#pragma_application_id) of whose file it is.
    static let applicationID: Int64 = 0x666C_6F77
    /// The version that this program writes: the number of ``steps``.
    static let version = Int64(steps.count)

    /// What leads from each version to the next. A released step is never changed, only followed by another.
    static let steps = [
        // installs: a rowid table with an index writes 1.6 to 1.8 times the rows of one WITHOUT ROWID, whose tree
        // moves the states themselves.
        // segments: in the order of their ids, which is the order in which they were added. by_value says whether
        // value is a breakdown value, which may be empty, or the segment is of all actors.
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
        // generation: counts the changes of the funnels, see FunnelRedefining.
        // beginnings: funnels that were counted from a topic that had lost its beginning.
        """
        ALTER TABLE identity ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE beginnings(
            funnel TEXT PRIMARY KEY,
            first_day INTEGER NOT NULL
        ) STRICT;
        """,
        // The installs that had too many events.
        "ALTER TABLE partitions ADD COLUMN capped INTEGER NOT NULL DEFAULT 0",
        // A store from before has counted its events without their numbers.
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
        // The segments are encoded anew, see SQLiteFunnelStore.migrate. Under the old name the old program would misread
        // them.
        "ALTER TABLE segments RENAME COLUMN body TO attempts",
    ]

    /// Older stores' segments hold single attempts instead of columns.
    static let firstVersionWithColumns: Int64 = 5

    /// What a file is, as its header tells.
    enum Finding: Equatable {
        /// Nothing was ever written to it.
        case empty
        /// A store of ours, of this version or an older one.
        case store(version: Int64)
    }

    /// Looks at a file without changing it.
    ///
    /// - Throws: ``StoreError/unusable(_:)`` where it is not ours, ``StoreError/newer(_:)``, and SQLite's errors.
    static func inspect(_ connection: OpaquePointer, _ place: StorePlace) throws -> Finding {
        let application = try number("PRAGMA application_id", connection)
        let version = try number("PRAGMA user_version", connection)
        if application == applicationID {
            guard version <= self.version else {
                throw StoreError.newer(
                    "the store \(place.name) was written by a newer version of this program (store version \(version), "
                        + "this one knows \(self.version)): use that version, or give another --store"
                )
            }
            return .store(version: version)
        }
        guard application == 0, version == 0, try number("SELECT count(*) FROM sqlite_schema", connection) == 0 else {
            throw StoreError.unusable(
                "\(place.name) is an SQLite database of another program: give another --store, or move the file away"
            )
        }
        return .empty
    }

    private static func number(_ sql: String, _ connection: OpaquePointer) throws -> Int64 {
        var result: Int64 = 0
        try StoreStatement(connection, sql).forEachRow { result = $0.integer(0) }
        return result
    }
}
