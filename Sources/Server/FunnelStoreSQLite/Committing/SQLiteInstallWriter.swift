import FunnelStore
import Funnels

/// Writes the rows of installs with their histories, where they have the expected versions.
struct SQLiteInstallWriter: ~Copyable {
    private let insert: SQLiteStatement
    private let update: SQLiteStatement
    private let history: SQLiteHistoryWriter

    init(_ connection: OpaquePointer) throws {
        let insert = try SQLiteStatement(
            connection,
            "INSERT INTO installs(install, version, state) VALUES (?, 1, ?) ON CONFLICT DO NOTHING"
        )
        let update = try SQLiteStatement(
            connection,
            "UPDATE installs SET version = ?3 + 1, state = ?2 WHERE install = ?1 AND version = ?3"
        )
        let history = try SQLiteHistoryWriter(connection)
        // In one call: a noncopyable value cannot be left partly initialized if one of the statements fails.
        self.init(insert: insert, update: update, history: history)
    }

    private init(
        insert: consuming SQLiteStatement,
        update: consuming SQLiteStatement,
        history: consuming SQLiteHistoryWriter
    ) {
        self.insert = insert
        self.update = update
        self.history = history
    }

    /// Writes the rows that have the expected versions.
    ///
    /// - Returns: the installs whose rows do not have the expected version.
    func write(_ writes: [InstallWrite]) throws -> [[UInt8]] {
        var conflicts: [[UInt8]] = []
        for index in InstallOrder.indices(of: writes, by: \.install) {
            let write = writes[index]
            guard try put(write) else {
                conflicts.append(write.install)
                continue
            }
            try history.write(write.history, of: write.install)
        }
        return conflicts
    }

    /// - Returns: whether the row had the expected version.
    private func put(_ write: InstallWrite) throws -> Bool {
        guard write.expectedVersion != 0 else {
            return try insert.withBlob(write.install, at: 1) {
                try insert.withBlob(write.state, at: 2) { try insert.run() } == 1
            }
        }
        try update.bind(write.expectedVersion, at: 3)
        return try update.withBlob(write.install, at: 1) {
            try update.withBlob(write.state, at: 2) { try update.run() } == 1
        }
    }
}
