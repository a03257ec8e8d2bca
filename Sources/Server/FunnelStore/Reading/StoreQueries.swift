package import Funnels

/// The queries that every store answers, each in its own SQL.
package protocol StoreQueries {
    /// Returns the store's identity; `nil` if no consumer has opened the store yet.
    func identity() throws -> StoreIdentity?

    /// Returns how often rebuilds have changed the store's funnels; `nil` if no consumer has opened the store yet.
    func generation() throws -> Int64?

    /// Returns the progress of each partition.
    func progress() throws -> [PartitionProgress]

    /// Returns what the store knows of the topic's partitions.
    func stream() throws -> StreamState

    /// Returns the transitions of a time zone, encoded by the caller; `nil` if the store does not have them.
    func timeZone(_ name: String) throws -> [UInt8]?

    /// Keeps the transitions of a time zone.
    mutating func setTimeZone(_ name: String, _ transitions: [UInt8]) throws

    /// Returns the rows that follow an install with a part of their history, in the order of their bytes. At least one row
    /// is returned if there is one.
    func installs(after install: [UInt8]?, limit: RowLimit, history: HistoryPart) throws -> [StoredInstall]
}

extension StoreQueries {
    /// Returns the transitions that the store keeps of the funnels' time zones.
    ///
    /// - Throws: `DamagedTimeZoneTable`, and the errors of the store.
    package func keptTimeZones(of funnels: [Funnel]) throws -> TimeZoneTables {
        var tables = TimeZoneTables()
        for name in TimeZoneTables.names(of: funnels) {
            if let bytes = try timeZone(name) { tables.set(try TimeZoneTable(decoding: bytes)) }
        }
        return tables
    }

    /// Keeps the transitions of the funnels' time zones where the store has none yet: those of `known`, else as this
    /// machine knows them.
    package mutating func keepTimeZones(of funnels: [Funnel], known: TimeZoneTables = TimeZoneTables()) throws {
        for name in TimeZoneTables.names(of: funnels) where try timeZone(name) == nil {
            if let table = known[name] ?? TimeZoneTable(named: name) { try setTimeZone(name, table.encoded) }
        }
    }
}

/// A view of a store, such as a snapshot, an audit or a rebuild. The extension answers from the view's queries
/// what the views have in common.
package protocol StoreView {
    associatedtype Queries: StoreQueries

    var queries: Queries { get }
}

extension StoreView {
    /// Returns the store's identity; `nil` if no consumer has opened the store yet.
    package func identity() throws -> StoreIdentity? { try queries.identity() }

    /// Returns the progress of each partition.
    package func progress() throws -> [PartitionProgress] { try queries.progress() }

    /// Returns the quality counts of all partitions together.
    package func quality() throws -> Quality {
        try queries.progress().reduce(into: Quality()) { $0 += $1.quality }
    }

    /// Returns the rows that follow an install with all of their history, in the order of their bytes.
    package func rows(after install: [UInt8]?, limit: RowLimit) throws -> [StoredInstall] {
        try queries.installs(after: install, limit: limit, history: .all)
    }
}
