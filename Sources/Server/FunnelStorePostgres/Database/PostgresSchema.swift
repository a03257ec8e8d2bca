import FunnelStore

/// The tables of a store and their version.
///
/// The tables are in the first schema of the `search_path`. Their names begin with `flow_funnels_`, because other
/// programs may have tables in the same schema.
enum PostgresSchema {
    /// The version that this program reads and writes.
    static let version: Int64 = 10
    /// How an older store makes room for a new one.
    static let removal = "drop its tables (flow_funnels_*) and its view funnel_results"

    // "flowfunn" in ASCII. The lock lets only one of several starting consumers create the tables.
    private static let lockKey: Int64 = 0x666C_6F77_6675_6E6E

    /// Checks the store in the database.
    ///
    /// - Returns: whether there is a store.
    /// - Throws: `StoreError` with `StoreError.Code.older`, `StoreError.Code.newer` or `StoreError.Code.unusable`;
    ///   ``PostgresFailure``.
    static func hasStore(_ connection: PostgresConnection, _ location: PostgresStoreLocation) throws -> Bool {
        // The stores before version 1 have flow_funnels_schema. Not to_regclass(), which may return an older state from a
        // cache although the lock was acquired meanwhile.
        let tables = try connection.execute(
            """
            SELECT relname::text FROM pg_class
            WHERE relname IN ('flow_funnels_schema', 'flow_funnels_store') AND pg_table_is_visible(oid)
            """
        )
        let names = (0..<tables.rowCount).map { tables.text($0, 0) }
        guard !names.contains("flow_funnels_schema") else {
            throw location.olderStore(removal)
        }
        guard !names.isEmpty else { return false }
        let result = try connection.execute("SELECT version FROM flow_funnels_store")
        guard result.rowCount == 1 else { throw location.damaged("flow_funnels_store has \(result.rowCount) rows") }
        try location.checkIsKnown(result.integer(0, 0), known: version, removal: removal)
        return true
    }

    /// Checks that there is a store of this program's version.
    static func check(_ connection: PostgresConnection, _ location: PostgresStoreLocation) throws {
        guard try hasStore(connection, location) else { throw location.noStore }
    }

    /// Creates the tables of a new store.
    static func prepare(_ connection: PostgresConnection, _ location: PostgresStoreLocation) throws {
        if try hasStore(connection, location) { return }
        try connection.transaction("ISOLATION LEVEL READ COMMITTED") {
            try lock(connection)
            guard try !hasStore(connection, location) else { return (false, ()) }
            try connection.run(tables)
            try connection.execute("INSERT INTO flow_funnels_store(version) VALUES ($1)", [.int8(version)])
            return (true, ())
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
