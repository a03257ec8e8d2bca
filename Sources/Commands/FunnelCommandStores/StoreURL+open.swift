public import FunnelConsumerConfiguration
public import FunnelStore
import FunnelStorePostgres
import FunnelStoreSQLite

extension StoreURL {
    /// Opens the store to count in, and makes it where there is none yet.
    ///
    /// - Throws: `StoreError`.
    public func openStore() throws(StoreError) -> any FunnelStore {
        switch self {
        case .sqlite(let path): try SQLiteFunnelStore(path: path)
        case .postgres(let url): try PostgresFunnelStore(url: url)
        }
    }

    /// Opens the store to report from.
    ///
    /// - Throws: `StoreError`; `StoreError.missing` where there is none.
    public func openReader() throws(StoreError) -> any FunnelReading {
        switch self {
        case .sqlite(let path): try SQLiteFunnelReader(path: path)
        case .postgres(let url): try PostgresFunnelReader(url: url)
        }
    }

    /// Opens the store to check it.
    ///
    /// - Throws: `StoreError`; `StoreError.missing` where there is none.
    public func openAuditor() throws(StoreError) -> any FunnelAuditing {
        switch self {
        case .sqlite(let path): try SQLiteFunnelReader(path: path)
        case .postgres(let url): try PostgresFunnelReader(url: url)
        }
    }

    /// Opens the store to change its funnels, beside the consumers that count in it.
    ///
    /// - Throws: `StoreError`; `StoreError.missing` where there is none.
    public func openRebuilder() throws(StoreError) -> any FunnelRedefining {
        switch self {
        case .sqlite(let path): try SQLiteFunnelRebuilder(path: path)
        case .postgres(let url): try PostgresFunnelRebuilder(url: url)
        }
    }
}
