import FunnelStore
import Funnels

/// Erases installs: removes their rows with all of their history, and keeps keyed hashes of their ids.
struct SQLiteEraser: ~Copyable {
    private let delete: SQLiteStatement
    private let find: SQLiteStatement
    private let add: SQLiteStatement
    private let setVacuumDue: SQLiteStatement
    private let history: SQLiteHistoryWriter
    private let key: ErasureKey

    init(_ queries: SQLiteStoreQueries) throws {
        guard let key = try queries.erasureKey() else {
            throw queries.location.damaged("it has no key for erased installs")
        }
        let connection = queries.connection
        let delete = try SQLiteStatement(connection, "DELETE FROM installs WHERE install = ?1 AND version = ?2")
        let find = try SQLiteStatement(connection, "SELECT 1 FROM installs WHERE install = ?1")
        let add = try SQLiteStatement(
            connection,
            "INSERT INTO erased_installs(hash) VALUES (?1) ON CONFLICT DO NOTHING"
        )
        let setVacuumDue = try SQLiteStatement(connection, "UPDATE identity SET is_vacuum_due = 1")
        let history = try SQLiteHistoryWriter(connection)
        // In one call: a noncopyable value cannot be left partly initialized if one of the statements fails.
        self.init(delete: delete, find: find, add: add, setVacuumDue: setVacuumDue, history: history, key: key)
    }

    private init(
        delete: consuming SQLiteStatement,
        find: consuming SQLiteStatement,
        add: consuming SQLiteStatement,
        setVacuumDue: consuming SQLiteStatement,
        history: consuming SQLiteHistoryWriter,
        key: ErasureKey
    ) {
        self.delete = delete
        self.find = find
        self.add = add
        self.setVacuumDue = setVacuumDue
        self.history = history
        self.key = key
    }

    /// Erases an install. Its row must be in place, not in the log.
    ///
    /// - Returns: whether the row had the expected version.
    func erase(_ write: InstallWrite) throws -> Bool {
        if write.expectedVersion == 0 {
            var isThere = false
            try find.withBlob(write.install, at: 1) { try find.forEachRow { _ in isThere = true } }
            guard !isThere else { return false }
        } else {
            try delete.bind(write.expectedVersion, at: 2)
            guard try delete.withBlob(write.install, at: 1, { try delete.run() }) == 1 else { return false }
            try history.replace(by: [], of: write.install)
            // SQLite leaves the bytes of deleted and of moved rows in the file's pages.
            try setVacuumDue.run()
        }
        try add.withBlob(key.hash(of: write.install), at: 1) { _ = try add.run() }
        return true
    }
}
