public import Funnels

/// A store that can take a large commit in batches, so that its rows are not in memory all at once.
///
/// ```swift
/// let outcome = try store.commit(moving: advances) { rows in
///     for writes in batches {
///         guard try rows.write(writes) else { return nil }
///     }
///     return StoreCommit(partitions: advances, installs: [], summary: summary)
/// }
/// ```
public protocol BatchedStore: FunnelStore {
    /// Applies a commit in one transaction, in which `body` reads and writes rows.
    ///
    /// - Parameters:
    ///   - partitions: the partitions' moves. Their expected offsets are compared before `body` runs.
    ///   - body: writes rows and returns all other changes; `nil` to undo what it has written. It runs once at most, on
    ///     the caller's thread or on another one.
    /// - Returns: ``CommitOutcome/committed``, or the reason why the commit changed nothing:
    ///   ``CommitOutcome/conflicts(_:)`` without rows where `body` has returned `nil`.
    /// - Throws: `StoreError`, and the errors of `body`. Nothing was changed then.
    func commit(
        moving partitions: [PartitionAdvance],
        _ body: (any RowTransaction) throws -> StoreCommit?
    ) throws -> CommitOutcome
}

/// The rows of a store during a commit in batches. It is valid as long as the commit runs.
public protocol RowTransaction {
    /// Returns the rows of the given installs as this transaction has left them, with a part of their history, in any
    /// order. An install without a row is left out; of an erased one, `StoredInstall.erased(_:)` is returned.
    ///
    /// - Throws: an error of the store, which `body` must throw on.
    func installs(_ installs: [[UInt8]], history: HistoryPart) throws -> [StoredInstall]

    /// Writes rows that have the expected versions.
    ///
    /// - Returns: whether all of them did. If not, another consumer has written the others, and `body` must return `nil`.
    /// - Throws: an error of the store, which `body` must throw on.
    func write(_ writes: [InstallWrite]) throws -> Bool
}
