package import FunnelConsumerConfiguration
package import FunnelStore
import FunnelStorePostgres
package import FunnelStoreSQLite

extension StoreURL {
    /// Opens the store to count in it. Creates a missing store.
    ///
    /// - Parameters:
    ///   - onOutage: is called while a server does not answer, and when it answers again.
    ///   - onVacuum: is called when a file was rewritten to remove the traces of erased installs, or could not be.
    /// - Throws: `StoreError`.
    package func openStore(
        onOutage: @escaping @Sendable (StoreOutage) -> Void,
        onVacuum: @escaping @Sendable (SQLiteVacuum) -> Void
    ) throws(StoreError) -> any FunnelStore {
        switch self {
        case .sqlite(let path): try SQLiteFunnelStore(path: path, onVacuum: onVacuum)
        case .postgres(let url): try PostgresFunnelStore(url: url, onOutage: onOutage)
        }
    }

    /// Opens the store to make a report from it, or to verify it.
    ///
    /// - Parameter patience: how long one statement waits for a lock at most; `nil` for the store's defaults.
    /// - Throws: `StoreError`, with the code `missing` if there is no store.
    package func openReader(patience: Duration? = nil) throws(StoreError) -> any FunnelAuditing {
        switch self {
        case .sqlite(let path): try SQLiteFunnelReader(path: path, busyTimeout: patience ?? .seconds(5))
        case .postgres(let url): try PostgresFunnelReader(url: url, statementTimeout: patience)
        }
    }

    /// Opens the store to change its funnels while consumers count in it.
    ///
    /// - Throws: `StoreError`, with the code `missing` if there is no store.
    package func openRebuilder() throws(StoreError) -> any FunnelRebuilding {
        switch self {
        case .sqlite(let path): try SQLiteFunnelRebuilder(path: path)
        case .postgres(let url): try PostgresFunnelRebuilder(url: url)
        }
    }
}
