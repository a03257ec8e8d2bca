import FunnelStore
import Funnels

/// The erased installs.
extension PostgresStoreQueries {
    func erasureKey() throws -> ErasureKey? { try key("") }

    func usedErasureKey() throws -> ErasureKey? {
        try key("WHERE EXISTS (SELECT 1 FROM flow_funnels_erased_installs)")
    }

    private func key(_ condition: String) throws -> ErasureKey? {
        let result = try connection.execute("SELECT erasure_key FROM flow_funnels_identity \(condition)")
        return result.rowCount > 0 ? ErasureKey(bytes: result.bytes(0, 0)) : nil
    }

    func erasedCount() throws -> Int64 {
        try connection.execute("SELECT count(*) FROM flow_funnels_erased_installs").integer(0, 0)
    }

    func erasedHashes() throws -> [[UInt8]] {
        let result = try connection.execute("SELECT hash FROM flow_funnels_erased_installs")
        return (0..<result.rowCount).map { result.bytes($0, 0) }
    }

    func erasedHashes(among hashes: [[UInt8]]) throws -> Set<[UInt8]> {
        var found: Set<[UInt8]> = []
        for start in stride(from: 0, to: hashes.count, by: RowLimit.statement.rowCount) {
            let result = try connection.execute(
                "SELECT hash FROM flow_funnels_erased_installs WHERE hash = ANY($1)",
                [.byteas(hashes[start..<min(start + RowLimit.statement.rowCount, hashes.count)])]
            )
            for row in 0..<result.rowCount { found.insert(result.bytes(row, 0)) }
        }
        return found
    }

    /// Returns the rows of the given installs with a part of their history, and the marks of those that were erased.
    func installsAndErased(_ installs: [[UInt8]], history: HistoryPart) throws -> [StoredInstall] {
        try withErased(try self.installs(installs, history: history), of: installs)
    }
}
