public import Funnels

/// Where a store is checked from: a reader that also shows the installs, without ever writing.
///
/// The calls block; one value belongs to one thread at a time.
public protocol FunnelAuditing: FunnelReading {
    /// Runs `body` on one unchanging state of the whole store.
    ///
    /// While it runs the store may be held from tidying up, so what can be done before is better done before.
    ///
    /// - Throws: ``StoreError``, and what `body` throws.
    func withAudit<R>(_ body: (any FunnelAudit) throws -> R) throws -> R
}

/// One unchanging state of a whole store.
public protocol FunnelAudit {
    /// What reports are made from.
    var summary: any SummarySource { get }

    /// What the store belongs to; `nil` where no consumer has opened it yet.
    func identity() throws -> StoreIdentity?

    /// Whether the numbers of all events since the store's beginning are in it; not where an older version, which did
    /// not keep them, has begun it.
    func hasAllSequences() throws -> Bool

    /// How far each partition has been taken in.
    func progress() throws -> [PartitionProgress]

    /// Calls `body` with each install's row, in any order.
    ///
    /// - Parameters:
    ///   - known: ids that installs may have. A store may keep a long id by its hash alone: the row is named by the
    ///     known id with that hash, or, where there is none, by the store's own key, which is no UTF-8 and so no id.
    ///   - body: is given the rows.
    /// - Throws: what the store or `body` throws.
    func forEachInstall(known: some Sequence<[UInt8]>, _ body: (StoredInstall) throws -> Void) throws
}
