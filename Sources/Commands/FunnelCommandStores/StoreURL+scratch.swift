package import FunnelConsumerConfiguration
package import FunnelStoreSQLite

extension StoreURL {
    /// Returns where a command counts the topic again: beside an SQLite store, or in the temporary folder for a PostgreSQL
    /// store.
    ///
    /// Ctrl-C and SIGTERM remove what is there.
    ///
    /// - Parameter directory: another folder; `nil` for the default.
    package func scratchLocation(in directory: String?) -> ScratchLocation {
        var location =
            switch self {
            case .sqlite(let path): ScratchLocation.beside(path)
            case .postgres: ScratchLocation.temporary
            }
        if let directory { location.directory = directory }
        location.isRemovedBySignals = true
        return location
    }
}
