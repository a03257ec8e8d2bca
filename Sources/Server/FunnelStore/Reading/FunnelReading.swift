public import Funnels

/// A reader of a store that consumers may be writing at the same time.
///
/// ```swift
/// let reader = try SQLiteFunnelReader(path: "funnels.sqlite")
/// let quality = try reader.withSnapshot { try $0.quality() }
/// ```
///
/// The calls block. Use one reader from one thread at a time.
public protocol FunnelReading {
    /// The funnels that the store counts, in the order of the funnels file, as of the time they were last read.
    var funnels: [Funnel] { get }

    /// How often rebuilds had changed the store's funnels when ``funnels`` were read; `nil` if no consumer has opened the
    /// store yet.
    var generation: Int64? { get }

    /// Runs `body` on one unchanging state of the store, so that all numbers of a report belong together.
    ///
    /// A database's reader throws ``StoreError/Code/unavailable`` if a rebuild has changed ``funnels`` since they were
    /// read. It reads the new ones then, so that the next call succeeds.
    ///
    /// - Throws: ``StoreError``, and what `body` throws.
    func withSnapshot<R>(_ body: (any SummarySource) throws -> R) throws -> R
}

/// A reader that also gives the rows of the installs, so that the store can be verified. It never writes.
public protocol FunnelAuditing: FunnelReading {
    /// Runs `body` on one unchanging state of the whole store.
    ///
    /// Keep `body` short: while it runs, the database may be unable to remove old versions of rows.
    ///
    /// - Throws: ``StoreError``, and what `body` throws.
    func withAudit<R>(_ body: (any FunnelAudit) throws -> R) throws -> R
}

/// One unchanging state of a whole store.
public protocol FunnelAudit {
    /// The summary, from which reports are made.
    var summary: any SummarySource { get }

    /// Calls `body` with each count of a funnel in the summary, in any order. Those of one value, day, outcome and gaps add up.
    ///
    /// - Parameters:
    ///   - funnel: the index of the funnel in the definitions.
    ///   - byValue: `false` for the counts of all actors, `true` for those of the breakdown values.
    ///   - body: is called with the text of the breakdown value (`nil` for all actors), the day and the count.
    func forEachCount(
        funnel: Int,
        byValue: Bool,
        _ body: (_ value: [UInt8]?, _ day: Day, _ count: OutcomeCount) throws -> Void
    ) throws

    /// Returns the store's identity; `nil` if no consumer has opened the store yet.
    func identity() throws -> StoreIdentity?

    /// Returns the progress of each partition.
    func progress() throws -> [PartitionProgress]

    /// Returns the erased installs with the key of their hashes; `nil` if no consumer has opened the store yet.
    func erasedInstalls() throws -> ErasedInstalls?

    /// Returns the rows that follow an install with all of their history, in the order of their bytes.
    ///
    /// - Parameters:
    ///   - install: the last install of the previous call; `nil` for the first rows.
    ///   - limit: the size of the batch. Only after the last row it is empty.
    func rows(after install: [UInt8]?, limit: RowLimit) throws -> [StoredInstall]
}

extension FunnelAudit {
    /// Calls `body` with each install's row and all of its history, in the order of the installs' bytes.
    ///
    /// - Throws: what the store or `body` throws.
    public func forEachInstall(_ body: (StoredInstall) throws -> Void) throws {
        var rows = SortedRows(rows)
        while let row = try rows.next() { try body(row) }
    }
}
