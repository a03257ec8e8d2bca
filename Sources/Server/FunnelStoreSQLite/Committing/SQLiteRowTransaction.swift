import FunnelStore
import Funnels

/// The rows of a store during a commit in batches. All rows are in place then, none in the log.
final class SQLiteRowTransaction: RowTransaction {
    private let queries: SQLiteStoreQueries
    private let writer: SQLiteInstallWriter
    /// Whether an install was erased.
    private(set) var hasErased = false

    /// Begins with writing the rows of the log in place.
    init(_ queries: SQLiteStoreQueries) throws {
        try queries.log.write(queries.logged)
        var queries = queries
        queries.logged = LoggedRows()
        self.queries = queries
        writer = try SQLiteInstallWriter(queries)
    }

    func installs(_ installs: [[UInt8]], history: HistoryPart) throws -> [StoredInstall] {
        try queries.installsAndErased(installs, history: history)
    }

    func write(_ writes: [InstallWrite]) throws -> Bool {
        if writes.contains(where: \.erases) { hasErased = true }
        return try writer.writeInPlace(writes)
    }
}
