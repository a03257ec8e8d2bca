import FunnelStore
import Funnels

/// The tables of a store and their versions.
///
/// The tables are in the first schema of the `search_path`. Their names begin with `flow_funnels_`, because other
/// programs may have tables in the same schema.
enum PostgresSchema {
    /// The version that this program writes: the number of ``steps``.
    static let version = Int64(steps.count)

    /// The segments of older stores contain single attempts instead of columns.
    private static let firstVersionWithColumns: Int64 = 5
    /// Older stores have no counts for the view.
    private static let firstVersionWithResultCounts: Int64 = 6

    // "flowfunn" in ASCII. The lock lets only one of several starting consumers create the tables.
    private static let lockKey: Int64 = 0x666C_6F77_6675_6E6E

    /// Reads the version of the store in the database.
    ///
    /// - Returns: `nil` if there is no store.
    /// - Throws: `StoreError` with `StoreError.Code.newer` or `StoreError.Code.unusable`; ``PostgresFailure``.
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
            if found ?? 0 < firstVersionWithResultCounts { try countResults(connection) }
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

    /// Fills the table of the view from the segments.
    private static func countResults(_ connection: PostgresConnection) throws {
        let counts = PostgresResultCountWriter(connection: connection)
        let ids = try connection.execute("SELECT id FROM flow_funnels_segments")
        for row in 0..<ids.rowCount {
            let segment = try connection.execute(
                "SELECT funnel, by_value, value, day, attempts FROM flow_funnels_segments WHERE id = $1",
                [.int8(ids.integer(row, 0))]
            )
            let key = SummaryKey(
                funnel: Int(segment.integer(0, 0)),
                value: segment.bool(0, 1) ? segment.bytes(0, 2) : nil,
                day: Day(number: Int32(truncatingIfNeeded: segment.integer(0, 3)))
            )
            try counts.add(ResultCount.counts(of: [SummaryDelta(key: key, segment: segment.bytes(0, 4))]))
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
