import FunnelStore
import Funnels

/// Writes the rows of installs with their histories, where they have the expected versions.
///
/// New rows are inserted. The updates of a commit go to the log, see ``LoggedRows``. Where they are more than the log has
/// room for, they are written in place, with all rows of the log.
struct SQLiteInstallWriter: ~Copyable {
    private let insert: SQLiteStatement
    private let find: SQLiteStatement
    private let findID: SQLiteStatement
    private let update: SQLiteStatement
    private let updateInstall: SQLiteStatement
    private let history: SQLiteHistoryWriter
    private let queries: SQLiteStoreQueries
    private var log: SQLiteRowLog { queries.log }

    init(_ queries: SQLiteStoreQueries) throws {
        let connection = queries.connection
        let insert = try SQLiteStatement(
            connection,
            "INSERT INTO installs(install, version, state) VALUES (?, 1, ?) ON CONFLICT DO NOTHING"
        )
        let find = try SQLiteStatement(connection, "SELECT id FROM installs WHERE install = ?1 AND version = ?2")
        // Answered by the index alone.
        let findID = try SQLiteStatement(connection, "SELECT id FROM installs WHERE install = ?1")
        let update = try SQLiteStatement(
            connection,
            "UPDATE installs SET version = ?3 + 1, state = ?2 WHERE id = ?1 AND version = ?3"
        )
        let updateInstall = try SQLiteStatement(
            connection,
            "UPDATE installs SET version = ?3 + 1, state = ?2 WHERE install = ?1 AND version = ?3"
        )
        let history = try SQLiteHistoryWriter(connection)
        // In one call: a noncopyable value cannot be left partly initialized if one of the statements fails.
        self.init(
            insert: insert,
            find: find,
            findID: findID,
            update: update,
            updateInstall: updateInstall,
            history: history,
            queries: queries
        )
    }

    private init(
        insert: consuming SQLiteStatement,
        find: consuming SQLiteStatement,
        findID: consuming SQLiteStatement,
        update: consuming SQLiteStatement,
        updateInstall: consuming SQLiteStatement,
        history: consuming SQLiteHistoryWriter,
        queries: SQLiteStoreQueries
    ) {
        self.insert = insert
        self.find = find
        self.findID = findID
        self.update = update
        self.updateInstall = updateInstall
        self.history = history
        self.queries = queries
    }

    /// An update whose row was found.
    private struct Found {
        var id: Int64
        /// Whether the row is in the log.
        var isLogged: Bool
        /// The index of the write.
        var index: Int
    }

    /// Writes the rows that have the expected versions.
    ///
    /// - Parameter logged: the rows of the log, as before the transaction.
    /// - Returns: the installs whose rows do not have the expected version, and what has changed in the log.
    func write(
        _ writes: [InstallWrite],
        after logged: LoggedRows
    ) throws -> (conflicts: [[UInt8]], change: LoggedRows.Change) {
        let erasures = writes.filter(\.erases)
        let updates = writes.lazy.filter { $0.expectedVersion != 0 }
        // The log has bytes of the installs to erase, perhaps.
        let isLogged =
            erasures.isEmpty && logged.hasRoom(forUpdates: updates.count, of: updates.reduce(0) { $0 + $1.state.count })
            && updates.allSatisfy { $0.previousState != nil }
        var conflicts: [[UInt8]] = []
        var found: [Found] = []
        for index in InstallOrder.indices(count: writes.count, by: { writes[$0].install })
        where !writes[index].erases {
            if writes[index].expectedVersion == 0 {
                guard try insert(writes[index]) else {
                    conflicts.append(writes[index].install)
                    continue
                }
            } else {
                guard let row = try row(of: writes[index], index, in: logged, comparesVersion: isLogged) else {
                    conflicts.append(writes[index].install)
                    continue
                }
                found.append(row)
            }
        }
        if isLogged { return (conflicts, try append(found, of: writes)) }
        // The rows that this commit does not change are written here, too.
        try log.write(logged)
        conflicts += try writeInPlace(found, of: writes)
        if !erasures.isEmpty {
            let eraser = try SQLiteEraser(queries)
            for write in erasures where try !eraser.erase(write) { conflicts.append(write.install) }
        }
        return (conflicts, .written)
    }

    /// Writes the rows that have the expected versions in place. None may be in the log.
    ///
    /// - Returns: whether all rows did.
    func writeInPlace(_ writes: [InstallWrite]) throws -> Bool {
        for index in writes.indices {
            if writes[index].erases {
                guard try SQLiteEraser(queries).erase(writes[index]) else { return false }
                continue
            }
            let isNew = writes[index].expectedVersion == 0
            guard try isNew ? insert(writes[index]) : updateInPlace(writes[index]) else { return false }
        }
        return true
    }

    private func updateInPlace(_ write: InstallWrite) throws -> Bool {
        try updateInstall.bind(write.expectedVersion, at: 3)
        let count = try updateInstall.withBlob(write.install, at: 1) {
            try updateInstall.withBlob(write.state, at: 2) { try updateInstall.run() }
        }
        guard count == 1 else { return false }
        try history.write(write.history, of: write.install)
        return true
    }

    private func insert(_ write: InstallWrite) throws -> Bool {
        let count = try insert.withBlob(write.install, at: 1) {
            try insert.withBlob(write.state, at: 2) { try insert.run() }
        }
        guard count == 1 else { return false }
        try history.write(write.history, of: write.install)
        return true
    }

    /// The row to update; `nil` if there is none, or it does not have the expected version.
    private func row(
        of write: InstallWrite,
        _ index: Int,
        in logged: LoggedRows,
        comparesVersion: Bool
    ) throws -> Found? {
        if let id = logged.id(of: write.install) {
            guard logged.rows[id]?.version == write.expectedVersion else { return nil }
            return Found(id: id, isLogged: true, index: index)
        }
        var id: Int64?
        if comparesVersion {
            try find.bind(write.expectedVersion, at: 2)
            try find.withBlob(write.install, at: 1) { try find.forEachRow { id = $0.integer(0) } }
        } else {
            try findID.withBlob(write.install, at: 1) { try findID.forEachRow { id = $0.integer(0) } }
        }
        return id.map { Found(id: $0, isLogged: false, index: index) }
    }

    private func append(_ found: [Found], of writes: [InstallWrite]) throws -> LoggedRows.Change {
        guard !found.isEmpty else { return .logged([], byteCount: 0) }
        var patches = StatePatches()
        var changed: [(newInstall: [UInt8]?, id: Int64, row: LoggedRows.Row)] = []
        changed.reserveCapacity(found.count)
        for update in found {
            let write = writes[update.index]
            // Such a commit is written in place. To skip the write here would lose it.
            guard let previous = write.previousState else { throw DamagedPatch() }
            patches.append(row: update.id, version: write.expectedVersion, from: previous, to: write.state)
            try history.write(write.history, of: write.install)
            let row = LoggedRows.Row(version: write.expectedVersion + 1, state: write.state)
            changed.append((update.isLogged ? nil : write.install, update.id, row))
        }
        try log.append(patches)
        return .logged(changed, byteCount: patches.bytes.count)
    }

    /// Writes updates in place.
    ///
    /// - Returns: the installs whose rows do not have the expected version.
    private func writeInPlace(_ found: [Found], of writes: [InstallWrite]) throws -> [[UInt8]] {
        var conflicts: [[UInt8]] = []
        // In the order of the table, which is walked once: most of a large commit is reading and writing its pages.
        for update in found.sorted(by: { $0.id < $1.id }) {
            let write = writes[update.index]
            try self.update.bind(update.id, at: 1)
            try self.update.bind(write.expectedVersion, at: 3)
            guard try self.update.withBlob(write.state, at: 2, { try self.update.run() }) == 1 else {
                conflicts.append(write.install)
                continue
            }
            try history.write(write.history, of: write.install)
        }
        return conflicts
    }
}
