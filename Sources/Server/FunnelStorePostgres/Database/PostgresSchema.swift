import FunnelStore
import Funnels

/// The tables of a store and their versions.
///
/// They stand in the first schema of the `search_path`, where other tables may stand too: their names begin with
/// `flow_funnels_`.
enum PostgresSchema {
    /// The version that this program writes: the number of ``steps``.
    static let version = Int64(steps.count)

    /// What leads from each version to the next. A released step is never changed, only followed by another.
    static let steps = [
        // installs: an id may be longer than an index takes, see ``InstallKey``. Room is left in the pages, so that a
        // changed row stays in its own and the index as it is.
        // segments: see ``PostgresSegmentWriter``. by_value says whether value is a breakdown value, which may be empty, or the
        // segment is of all actors. A value, too, may be longer than an index takes, so its hash is indexed.
        // writers: the number of each consumer's last commit, see ``CommitMark``.
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
        // generation: counts the changes of the funnels, see FunnelRedefining.
        // beginnings: funnels that were counted from a topic that had lost its beginning.
        """
        ALTER TABLE flow_funnels_identity ADD COLUMN generation bigint NOT NULL DEFAULT 0;
        CREATE TABLE flow_funnels_beginnings(
            funnel text PRIMARY KEY,
            first_day int NOT NULL
        );
        """,
        // The installs that had too many events.
        "ALTER TABLE flow_funnels_partitions ADD COLUMN capped bigint NOT NULL DEFAULT 0",
        // A store from before has counted its events without their numbers.
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
        // The segments are encoded anew, see convertSegments. Under the old name an old program that still runs would
        // misread them.
        "ALTER TABLE flow_funnels_segments RENAME COLUMN body TO attempts",
    ]

    /// Older stores' segments hold single attempts instead of columns.
    private static let firstVersionWithColumns: Int64 = 5

    // "flowfunn" in ASCII: consumers that start together make the tables one after another.
    private static let lockKey: Int64 = 0x666C_6F77_6675_6E6E

    /// The version of the store that is there; `nil` where there is none.
    ///
    /// - Throws: ``StoreError/newer(_:)``, ``StoreError/unusable(_:)`` and ``PostgresFailure``.
    static func inspect(_ connection: PostgresConnection, _ place: PostgresPlace) throws -> Int64? {
        // Not to_regclass(), which may answer from a cache what was true before the lock was had.
        let table = try connection.execute(
            """
            SELECT EXISTS (
                SELECT 1 FROM pg_class WHERE relname = 'flow_funnels_schema' AND pg_table_is_visible(oid)
            )
            """
        )
        guard table.bool(0, 0) else { return nil }
        let result = try connection.execute("SELECT version FROM flow_funnels_schema")
        guard result.rowCount == 1 else { throw place.damaged("flow_funnels_schema has \(result.rowCount) rows") }
        let version = result.integer(0, 0)
        guard version <= self.version else {
            throw StoreError.newer(
                "the store \(place.name) was written by a newer version of this program (store version \(version), this "
                    + "one knows \(self.version)): use that version, or give another --store"
            )
        }
        return version
    }

    /// Makes the tables where there are none, and brings older ones up to date.
    static func prepare(_ connection: PostgresConnection, _ place: PostgresPlace) throws {
        if try inspect(connection, place) == version { return }
        try connection.transaction("ISOLATION LEVEL READ COMMITTED") {
            try lock(connection)
            let found = try inspect(connection, place)
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
        // One by one: together they may be larger than the memory.
        for row in 0..<ids.rowCount {
            let id = PostgresValue.int8(ids.integer(row, 0))
            let old = try connection.execute("SELECT attempts FROM flow_funnels_segments WHERE id = $1", [id])
            let new = try SummarySegment.converted(fromRecords: old.bytes(0, 0))
            try connection.execute("UPDATE flow_funnels_segments SET attempts = $1 WHERE id = $2", [.bytea(new), id])
        }
    }

    /// Keeps the store's funnels as they are until the transaction ends; any number of commits may at once.
    ///
    /// The table's lock, because it is fair: a rebuild that waits is let in before the commits that come later.
    static func lockFunnelsShared(_ connection: PostgresConnection) throws {
        try connection.run("LOCK TABLE flow_funnels_identity IN ROW SHARE MODE")
    }

    /// Waits for the commits that are under way and keeps others out until the transaction ends; reports may read.
    static func lockFunnels(_ connection: PostgresConnection) throws {
        try connection.run("LOCK TABLE flow_funnels_identity IN EXCLUSIVE MODE")
    }

    /// Keeps others from changing what the store is until the transaction ends.
    static func lock(_ connection: PostgresConnection) throws {
        try connection.execute("SELECT pg_advisory_xact_lock($1)", [.int8(lockKey)])
    }
}
