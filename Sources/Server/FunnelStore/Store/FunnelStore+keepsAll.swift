public import Funnels

/// A store that does not take part in tidying up keeps every row as it was written, which is right, only larger.
extension FunnelStore {
    /// No rows.
    public func installs(after install: [UInt8]?, limit: Int) throws(StoreError) -> [StoredInstall] { [] }

    /// Does nothing.
    public func compact(_ rows: [StoredInstall]) throws(StoreError) {}
}
