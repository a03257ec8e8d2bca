import FunnelStore
import Funnels

/// The erased installs.
extension SQLiteStoreQueries {
    func erasureKey() throws -> ErasureKey? { try key("") }

    func usedErasureKey() throws -> ErasureKey? { try key("WHERE EXISTS (SELECT 1 FROM erased_installs)") }

    private func key(_ condition: String) throws -> ErasureKey? {
        var key: ErasureKey?
        try SQLiteStatement(connection, "SELECT erasure_key FROM identity \(condition)").forEachRow { row in
            key = ErasureKey(bytes: row.bytes(0))
        }
        return key
    }

    func erasedCount() throws -> Int64 {
        var count: Int64 = 0
        try SQLiteStatement(connection, "SELECT count(*) FROM erased_installs").forEachRow { count = $0.integer(0) }
        return count
    }

    func erasedHashes() throws -> [[UInt8]] {
        var hashes: [[UInt8]] = []
        try SQLiteStatement(connection, "SELECT hash FROM erased_installs").forEachRow { hashes.append($0.bytes(0)) }
        return hashes
    }

    func erasedHashes(among hashes: [[UInt8]]) throws -> Set<[UInt8]> {
        let statement = try SQLiteStatement(connection, "SELECT 1 FROM erased_installs WHERE hash = ?")
        var found: Set<[UInt8]> = []
        for hash in hashes {
            try statement.withBlob(hash, at: 1) { try statement.forEachRow { _ in found.insert(hash) } }
        }
        return found
    }

    /// Returns the rows of the given installs with a part of their history, and the marks of those that were erased.
    func installsAndErased(_ installs: [[UInt8]], history: HistoryPart) throws -> [StoredInstall] {
        try withErased(try self.installs(installs, history: history), of: installs)
    }
}
