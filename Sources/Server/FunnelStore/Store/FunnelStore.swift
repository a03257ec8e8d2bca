public import FlowEvents
public import Funnels

/// A store for a consumer's counts: offsets, evidence, results and quality. A commit changes all of them or none.
///
/// ```swift
/// let store: any FunnelStore = try SQLiteFunnelStore(path: "funnels.sqlite")
/// let progress = try store.open(StoreIdentity(clusterID: cluster, topic: "app-events", funnels: funnels))
/// ```
///
/// The calls block for as long as a disk or a network takes. Make them from a thread of your own, never from the
/// cooperative pool. Every method may be called from any thread.
public protocol FunnelStore: Sendable {
    /// Returns an id of the store, if several consumers may count in it at the same time; `nil` if it belongs to one.
    ///
    /// The consumers of one id share the partitions of a topic in a group. The consumer of a store that belongs to it alone
    /// reads all partitions.
    func sharedID() throws(StoreError) -> String?

    /// Lets calls fail that are repeated for seconds already, now and from now on: the caller wants to end, and learns what
    /// is wrong with the store. Returns at once.
    func stopWaiting()

    /// Assigns an empty store to `identity`, or checks that a store in use belongs to it.
    ///
    /// - Returns: the progress of each partition; empty for a new store.
    /// - Throws: ``StoreError`` with ``StoreError/Code/otherData`` if the store belongs to another identity.
    func open(_ identity: StoreIdentity) throws(StoreError) -> [PartitionProgress]

    /// Returns the transitions of the funnels' time zones, which the store keeps since it first counted in them.
    func timeZones(of funnels: [Funnel]) throws(StoreError) -> TimeZoneTables

    /// Returns the current progress of each partition, including commits of other consumers.
    func progress() throws(StoreError) -> [PartitionProgress]

    /// Returns the time before which evidence may have been removed; `nil` if none was ever removed.
    func horizon() throws(StoreError) -> Timestamp?

    /// Keeps the settings, and raises the horizon as far as the partitions of the store allow, in one transaction.
    ///
    /// Only evidence from before the store's horizon may be removed. A partition that is read for the first time later gets
    /// it as its floor, see `PartitionProgress.floor`.
    ///
    /// - Parameter settings: what the consumer knows of the topic.
    /// - Returns: the store's horizon, which never moves back.
    func raiseHorizon(_ settings: TopicSettings) throws(StoreError) -> Timestamp?

    /// Returns the rows of the given installs with a part of their history, in any order. An install without a row is left
    /// out; of an erased one, `StoredInstall.erased(_:)` is returned.
    ///
    /// All of it is of one moment: the version, the state and the history of a row belong together.
    func installs(_ installs: [[UInt8]], history: HistoryPart) throws(StoreError) -> [StoredInstall]

    /// Returns the key of the hashes of erased installs; `nil` for a store that was not opened yet.
    func erasureKey() throws(StoreError) -> ErasureKey?

    /// Applies a commit in one transaction.
    ///
    /// - Returns: ``CommitOutcome/committed``, or the reason why the commit changed nothing.
    func commit(_ commit: StoreCommit) throws(StoreError) -> CommitOutcome

    /// Returns the store's new funnels if a rebuild has changed them since this consumer last learned them.
    ///
    /// A consumer learns the store's funnels from ``open(_:)``, from ``CommitOutcome/rebuilt(_:)`` and from this
    /// method. A change is therefore reported once: the next commit must be counted with the new funnels.
    ///
    /// - Returns: the new funnels and the progress of the same moment; `nil` if the funnels have not changed.
    func takeRebuiltFunnels() throws(StoreError) -> RebuiltFunnels?

    /// Returns the next rows with the indices of their histories, in the order of their bytes, so that a caller can visit
    /// all rows in batches.
    ///
    /// - Parameters:
    ///   - install: the install of the last row of the previous batch; `nil` for the first batch.
    ///   - limit: the size of the batch. Only after the last row it is empty.
    func installs(after install: [UInt8]?, limit: RowLimit) throws(StoreError) -> [StoredInstall]

    /// Returns the first of some rows of ``installs(after:limit:)`` as they are now, with all of their history.
    ///
    /// - Parameters:
    ///   - rows: the rows, in order.
    ///   - limit: how many rows are returned; one at least.
    func withHistory(_ rows: [StoredInstall], limit: RowLimit) throws(StoreError) -> [StoredInstall]

    /// Replaces rows of ``installs(after:limit:)`` by smaller ones with the same meaning.
    ///
    /// Each write is applied where the row still has the expected version, and increments the version as a commit does:
    /// another consumer that has cached the row must notice that the index of its history has changed. Other rows stay as
    /// they are. So do all rows after a rebuild has changed the funnels: which evidence is no longer needed depends on
    /// the funnels.
    func compact(_ writes: [InstallWrite]) throws(StoreError)

    /// Why calls have been repeated for some seconds and still are; `nil` if they are not. Returns at once.
    var outage: StoreError? { get }

    /// Closes the store, so that another consumer can open it. Do not call other methods afterward.
    func close() throws(StoreError)
}

extension FunnelStore {
    /// Does nothing, for a store that repeats no calls.
    public func stopWaiting() {}

    /// Returns `nil`, for a store of one consumer.
    public func sharedID() throws(StoreError) -> String? { nil }

    /// `nil`, for a store that erases nobody.
    public func erasureKey() throws(StoreError) -> ErasureKey? { nil }

    /// `nil`, for a store that repeats no calls.
    public var outage: StoreError? { nil }

    /// Returns no transitions: the days are those of this machine's time zone database.
    public func timeZones(of funnels: [Funnel]) throws(StoreError) -> TimeZoneTables { TimeZoneTables() }
}

/// Defaults for a store that does not support compaction. It keeps every row as written, which is correct but takes
/// more space.
extension FunnelStore {
    /// Returns no rows.
    public func installs(after install: [UInt8]?, limit: RowLimit) throws(StoreError) -> [StoredInstall] { [] }

    /// Returns no rows.
    public func withHistory(_ rows: [StoredInstall], limit: RowLimit) throws(StoreError) -> [StoredInstall] { [] }

    /// Does nothing.
    public func compact(_ writes: [InstallWrite]) throws(StoreError) {}
}

extension FunnelStore {
    /// Returns the rows of the given installs with all of their history, in any order.
    package func installs(_ installs: [[UInt8]]) throws(StoreError) -> [StoredInstall] {
        try self.installs(installs, history: .all)
    }
}

/// The rows of an install's history to read, see `HistoryRow`.
public enum HistoryPart: Sendable, Hashable {
    /// The index only: the rows with the number 0 and less.
    case index
    /// The index and the blocks.
    case all

    /// The greatest number of a row to read.
    package var greatestNumber: Int64 {
        switch self {
        case .index: 0
        case .all: .max
        }
    }
}
