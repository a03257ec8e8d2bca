public import Funnels

/// A store whose funnels can be changed while consumers count in it.
///
/// A store has a *generation*, and each ``rebuild(_:)`` increments it. A consumer remembers the generation of the
/// funnels that it knows, and each of its commits compares it in its own transaction. If the commit comes first, the
/// rebuild sees what it wrote. If the rebuild comes first, the commit changes nothing and returns
/// ``CommitOutcome/rebuilt(_:)``. No row ever mixes counts of old and new funnels.
///
/// The calls block. Use one value from one thread at a time.
public protocol FunnelRebuilding {
    /// Returns the store's identity; `nil` if no consumer has opened the store yet.
    func identity() throws(StoreError) -> StoreIdentity?

    /// Returns the current progress of each partition.
    func progress() throws(StoreError) -> [PartitionProgress]

    /// Returns the erased installs with the key of their hashes; `nil` if no consumer has opened the store yet.
    func erasedInstalls() throws(StoreError) -> ErasedInstalls?

    /// Runs `body` in one transaction that excludes all other writers.
    ///
    /// The store keeps all changes of `body`, or none of them if `body` throws or the process ends. Meanwhile the
    /// consumers' commits wait, and reports see the old state.
    ///
    /// - Throws: ``StoreError``, and what `body` throws.
    func rebuild<R>(_ body: (any StoreRebuild) throws -> R) throws -> R
}

/// The store inside ``FunnelRebuilding/rebuild(_:)``. Its reads see its earlier writes.
public protocol StoreRebuild {
    /// Returns the store's identity.
    func identity() throws -> StoreIdentity?

    /// Returns the progress of each partition.
    func progress() throws -> [PartitionProgress]

    /// Returns the rows that follow an install with all of their history, in the order of their bytes.
    ///
    /// - Parameters:
    ///   - install: the last install of the previous call; `nil` for the first rows.
    ///   - limit: the size of the batch. Only after the last row it is empty.
    func rows(after install: [UInt8]?, limit: RowLimit) throws -> [StoredInstall]

    /// Replaces the rows of the same installs and all of their history, and adds the rows of new installs.
    func put(_ rows: [StoredInstall]) throws

    /// Gives the summaries of funnels new indices, and removes the summaries of all other funnels.
    ///
    /// - Parameter moves: the new index for each old index.
    func moveSummary(_ moves: [Int: Int]) throws

    /// Adds to the summary.
    func add(_ summary: [SummaryDelta]) throws

    /// Sets the number of duplicates of each of these partitions.
    func setDuplicates(_ counts: [Int32: Int64]) throws

    /// Adds to the number of capped installs. Where more installs come back to the funnels than leave them, the count is
    /// negative.
    func addCapped(_ count: Int64) throws

    /// Replaces the store's funnels.
    ///
    /// - Parameters:
    ///   - funnels: the new funnels, in their order.
    ///   - counted: the names of the funnels that were counted again from the topic.
    ///   - firstDay: the first day for which those have all events; `nil` if they have every event.
    ///   - firstKnown: the first day that was read, by the names of those that count first entries only, where the topic
    ///     has lost earlier records.
    func setFunnels(
        _ funnels: [Funnel],
        counted: [String],
        completeFrom firstDay: Day?,
        firstKnown: [String: Day]
    ) throws
}

extension StoreRebuild {
    /// Replaces the store's funnels by funnels whose first entries are all known.
    package func setFunnels(_ funnels: [Funnel], counted: [String], completeFrom firstDay: Day?) throws {
        try setFunnels(funnels, counted: counted, completeFrom: firstDay, firstKnown: [:])
    }
}
