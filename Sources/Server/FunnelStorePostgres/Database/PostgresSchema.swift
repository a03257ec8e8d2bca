import FunnelStore
import Funnels

/// The tables of a store and their versions.
///
/// The tables are in the first schema of the `search_path`. Their names begin with `flow_funnels_`, because other
/// programs may have tables in the same schema.
enum PostgresSchema {
    /// The version that this program writes: the number of ``steps``.
    static let version = Int64(steps.count)

    /// The statements that lead from each version to the next. Never change a released step; add another one.
    static let steps = [
        // installs: an id may be too long for an index, see InstallKey. The fill factor leaves space in each page, so
        // that an updated row stays in its page and the index does not change.
        // segments: see PostgresSegmentWriter. by_value is true if value is a breakdown value, which may be empty, and
        // false if the segment is of all actors. A value may be too long for an index, so its hash is indexed.
        // writers: the number of each consumer's last commit, see CommitMarker.
        """
        CREATE TABLE flow_funnels_schema(version bigint NOT NULL);
        CREATE TABLE flow_funnels_identity(
            id int PRIMARY KEY CHECK (id = 1),
            cluster_id text NOT NULL,
            topic text NOT NULL
        );
        CREATE TABLE flow_funnels_funnels(
            position int PRIMARY KEY,
            name text NOT NULL UNIQUE,
            definition text NOT NULL
        );
        CREATE TABLE flow_funnels_partitions(
            partition int PRIMARY KEY,
            next_offset bigint NOT NULL,
            watermark bigint,
            events bigint NOT NULL,
            duplicates bigint NOT NULL,
            late bigint NOT NULL,
            dead_letters bigint NOT NULL
        );
        CREATE TABLE flow_funnels_installs(
            install bytea PRIMARY KEY,
            version bigint NOT NULL,
            state bytea NOT NULL
        ) WITH (fillfactor = 80);
        CREATE TABLE flow_funnels_segments(
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            funnel int NOT NULL,
            by_value boolean NOT NULL,
            day int NOT NULL,
            value bytea NOT NULL,
            body bytea NOT NULL
        );
        CREATE INDEX flow_funnels_segments_by_key
            ON flow_funnels_segments(funnel, by_value, day, sha256(value));
        CREATE TABLE flow_funnels_writers(
            writer uuid PRIMARY KEY,
            commit_number bigint NOT NULL,
            seen timestamptz NOT NULL
        );
        """,
        // generation: the number of rebuilds, see FunnelRebuilding.
        // beginnings: the funnels that were counted when the topic's first records were already deleted.
        """
        ALTER TABLE flow_funnels_identity ADD COLUMN generation bigint NOT NULL DEFAULT 0;
        CREATE TABLE flow_funnels_beginnings(
            funnel text PRIMARY KEY,
            first_day int NOT NULL
        );
        """,
        // capped: the number of installs with too many events.
        "ALTER TABLE flow_funnels_partitions ADD COLUMN capped bigint NOT NULL DEFAULT 0",
        // has_all_sequences: false for a store that was begun by a version without sequence numbers.
        """
        ALTER TABLE flow_funnels_identity ADD COLUMN has_all_sequences boolean NOT NULL DEFAULT true;
        UPDATE flow_funnels_identity SET has_all_sequences = false;
        ALTER TABLE flow_funnels_partitions
            ADD COLUMN expected bigint NOT NULL DEFAULT 0,
            ADD COLUMN missing bigint NOT NULL DEFAULT 0,
            ADD COLUMN unread bigint NOT NULL DEFAULT 0,
            ADD COLUMN dropped_queue_full bigint NOT NULL DEFAULT 0,
            ADD COLUMN dropped_expired bigint NOT NULL DEFAULT 0,
            ADD COLUMN dropped_not_stored bigint NOT NULL DEFAULT 0,
            ADD COLUMN dropped_rejected bigint NOT NULL DEFAULT 0,
            ADD COLUMN dropped_other bigint NOT NULL DEFAULT 0,
            ADD COLUMN unchecked bigint NOT NULL DEFAULT 0;
        """,
        // The segments get a new encoding, see convertSegments. The column gets a new name, so that an older program
        // that still runs fails instead of misreading them.
        "ALTER TABLE flow_funnels_segments RENAME COLUMN body TO attempts",
    ]

    /// The segments of older stores contain single attempts instead of columns.
    private static let firstVersionWithColumns: Int64 = 5

    // "flowfunn" in ASCII. The lock lets only one of several starting consumers create the tables.
    private static let lockKey: Int64 = 0x666C_6F77_6675_6E6E

    /// Reads the version of the store in the database.
    ///
    /// - Returns: `nil` if there is no store.
    /// - Throws: ``StoreError`` with ``StoreError/Code/newer`` or ``StoreError/Code/unusable``; ``PostgresFailure``.
    static func version(of connection: PostgresConnection, _ location: PostgresStoreLocation) throws -> Int64? {
        // Not to_regclass(), which may return an older state from a cache although the lock was acquired meanwhile.
        let table = try connection.execute(
            """
            SELECT EXISTS (
                SELECT 1 FROM pg_class WHERE relname = 'flow_funnels_schema' AND pg_table_is_visible(oid)
            )
            """
        )
        guard table.bool(0, 0) else { return nil }
        let result = try connection.execute("SELECT version FROM flow_funnels_schema")
        guard result.rowCount == 1 else { throw location.damaged("flow_funnels_schema has \(result.rowCount) rows") }
        let version = result.integer(0, 0)
        try location.checkIsKnown(version, known: self.version)
        return version
    }

    /// Checks that there is a store of this program's version.
    static func checkIsCurrent(_ connection: PostgresConnection, _ location: PostgresStoreLocation) throws {
        guard let version = try version(of: connection, location) else { throw location.noStore }
        try location.checkIsCurrent(version, known: self.version)
    }

    /// Creates missing tables, and brings older ones up to date.
    static func prepare(_ connection: PostgresConnection, _ location: PostgresStoreLocation) throws {
        if try version(of: connection, location) == version { return }
        try connection.transaction("ISOLATION LEVEL READ COMMITTED") {
            try lock(connection)
            let found = try version(of: connection, location)
            // Programs of the older version may be in the middle of a commit or a rebuild.
            if found != nil { try lockFunnels(connection) }
            for step in steps.dropFirst(Int(found ?? 0)) { try connection.run(step) }
            if found ?? 0 < firstVersionWithColumns { try convertSegments(connection) }
            let statement =
                found == nil
                ? "INSERT INTO flow_funnels_schema(version) VALUES ($1)" : "UPDATE flow_funnels_schema SET version = $1"
            try connection.execute(statement, [.int8(version)])
            return (true, ())
        }
    }

    private static func convertSegments(_ connection: PostgresConnection) throws {
        let ids = try connection.execute("SELECT id FROM flow_funnels_segments")
        // One at a time, because all of them may not fit into memory.
        for row in 0..<ids.rowCount {
            let id = PostgresValue.int8(ids.integer(row, 0))
            let old = try connection.execute("SELECT attempts FROM flow_funnels_segments WHERE id = $1", [id])
            let new = try SummarySegment.converted(fromRecords: old.bytes(0, 0))
            try connection.execute("UPDATE flow_funnels_segments SET attempts = $1 WHERE id = $2", [.bytea(new), id])
        }
    }

    /// Prevents changes of the store's funnels until the transaction ends. Any number of commits may hold this lock.
    ///
    /// It is a lock of the table, because that is fair: a waiting rebuild gets its lock before later commits do.
    static func lockFunnelsShared(_ connection: PostgresConnection) throws {
        try connection.run("LOCK TABLE flow_funnels_identity IN ROW SHARE MODE")
    }

    /// Waits for running commits, and excludes others until the transaction ends. Reports can still read.
    static func lockFunnels(_ connection: PostgresConnection) throws {
        try connection.run("LOCK TABLE flow_funnels_identity IN EXCLUSIVE MODE")
    }

    /// Prevents other consumers from creating tables or opening the store until the transaction ends.
    static func lock(_ connection: PostgresConnection) throws {
        try connection.execute("SELECT pg_advisory_xact_lock($1)", [.int8(lockKey)])
    }
}
