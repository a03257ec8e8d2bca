import FunnelStore
import Funnels
import GRDB

/// The store inside the transaction that changes its funnels.
struct SQLiteRebuild: StoreRebuild, StoreView {
    let database: Database
    let queries: SQLiteStoreQueries
    private var connection: OpaquePointer { queries.connection }

    func put(_ rows: [StoredInstall]) throws {
        let statement = try SQLiteStatement(
            connection,
            """
            INSERT INTO installs(install, version, state) VALUES (?1, ?2, ?3)
            ON CONFLICT (install) DO UPDATE SET version = excluded.version, state = excluded.state
            """
        )
        let history = try SQLiteHistoryWriter(connection)
        for row in rows {
            try statement.bind(row.version, at: 2)
            try statement.withBlob(row.install, at: 1) {
                try statement.withBlob(row.state, at: 3) { _ = try statement.run() }
            }
            try history.replace(by: row.history, of: row.install)
        }
    }

    func moveSummary(_ moves: [Int: Int]) throws {
        for table in ["segments", "result_counts"] { try moveFunnels(moves, in: table) }
    }

    private func moveFunnels(_ moves: [Int: Int], in table: String) throws {
        // The new indices are written as negative numbers first, because a new index may be the old index of another
        // funnel.
        let move = try SQLiteStatement(connection, "UPDATE \(table) SET funnel = ?2 WHERE funnel = ?1")
        for (old, new) in moves where old != new {
            try move.bind(Int64(old), at: 1)
            try move.bind(-1 - Int64(new), at: 2)
            try move.run()
        }
        let unmoved = moves.filter { $0.key == $0.value }.keys.map(String.init).joined(separator: ", ")
        try SQLiteStatement(
            connection,
            "DELETE FROM \(table) WHERE funnel >= 0 AND funnel NOT IN (\(unmoved))"
        ).run()
        try SQLiteStatement(connection, "UPDATE \(table) SET funnel = -1 - funnel WHERE funnel < 0").run()
    }

    func add(_ summary: [SummaryDelta]) throws {
        try SQLiteCommitWriter(queries).write(summary)
    }

    func setDuplicates(_ counts: [Int32: Int64]) throws {
        let statement = try SQLiteStatement(connection, "UPDATE partitions SET duplicates = ?2 WHERE partition = ?1")
        for (partition, count) in counts {
            try statement.bind(Int64(partition), at: 1)
            try statement.bind(count, at: 2)
            try statement.run()
        }
    }

    func addCapped(_ count: Int64) throws {
        // Reports read only the sum over the partitions, so any partition will do.
        let statement = try SQLiteStatement(
            connection,
            "UPDATE partitions SET capped = capped + ? WHERE partition = (SELECT min(partition) FROM partitions)"
        )
        try statement.bind(count, at: 1)
        try statement.run()
    }

    func setFunnels(
        _ funnels: [Funnel],
        counted: [String],
        completeFrom firstDay: Day?,
        firstKnown: [String: Day]
    ) throws {
        try SQLiteFunnelStore.write(funnels, to: database)
        var queries = queries
        try queries.keepTimeZones(of: funnels)
        try database.execute(sql: "DELETE FROM beginnings WHERE funnel NOT IN (SELECT name FROM funnels)")
        for name in counted {
            try database.execute(sql: "DELETE FROM beginnings WHERE funnel = ?", arguments: [name])
            guard firstDay != nil || firstKnown[name] != nil else { continue }
            try database.execute(
                sql: "INSERT INTO beginnings(funnel, first_day, first_known) VALUES (?, ?, ?)",
                arguments: [name, firstDay?.number, firstKnown[name]?.number]
            )
        }
    }
}
