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
    func topicProgress() throws -> TopicProgress

    /// Returns the transitions of a time zone, encoded by the caller; `nil` if the store does not have them.
    func timeZone(_ name: String) throws -> [UInt8]?

    /// Keeps the transitions of a time zone.
    mutating func setTimeZone(_ name: String, _ transitions: [UInt8]) throws

    /// Returns the key of the hashes of erased installs; `nil` if no consumer has opened the store yet.
    func erasureKey() throws -> ErasureKey?

    /// Returns ``erasureKey()`` if any install was erased; else `nil`.
    func usedErasureKey() throws -> ErasureKey?

    /// Returns the number of erased installs.
    func erasedCount() throws -> Int64

    /// Returns the hashes of all erased installs.
    func erasedHashes() throws -> [[UInt8]]

    /// Returns those of some hashes that are of erased installs.
    func erasedHashes(among hashes: [[UInt8]]) throws -> Set<[UInt8]>

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

extension StoreQueries {
    /// Returns the erased installs with their key; `nil` if no consumer has opened the store yet.
    package func erasedInstalls() throws -> ErasedInstalls? {
        try erasureKey().map { ErasedInstalls(key: $0, hashes: try erasedHashes()) }
    }

    /// Returns those of some installs that were erased.
    package func erased(among installs: some Collection<[UInt8]>) throws -> [[UInt8]] {
        guard !installs.isEmpty, let key = try usedErasureKey() else { return [] }
        let hashes = installs.map { key.hash(of: $0) }
        let found = try erasedHashes(among: hashes)
        return zip(installs, hashes).filter { found.contains($1) }.map { $0.0 }
    }

    /// Adds what a consumer must learn of erased installs to the rows that a store has of some installs.
    package func withErased(_ rows: [StoredInstall], of installs: [[UInt8]]) throws -> [StoredInstall] {
        guard rows.count < installs.count else { return rows }
        let found = Set(rows.map(\.install))
        return rows + (try erased(among: installs.filter { !found.contains($0) })).map { .erased($0) }
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
        try queries.progress().reduce(into: Quality(erasedInstalls: try queries.erasedCount())) { $0 += $1.quality }
    }

    /// Returns the erased installs with their key; `nil` if no consumer has opened the store yet.
    package func erasedInstalls() throws -> ErasedInstalls? { try queries.erasedInstalls() }

    /// Returns the rows that follow an install with all of their history, in the order of their bytes.
    package func rows(after install: [UInt8]?, limit: RowLimit) throws -> [StoredInstall] {
        try queries.installs(after: install, limit: limit, history: .all)
    }
}
