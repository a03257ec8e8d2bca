public import Funnels
import Synchronization

/// A store in memory, for tests, for trying things out, and for working out a topic's counts without keeping them.
///
/// It is gone with its process. Every call is safe from any thread and returns at once.
public final class MemoryFunnelStore: FunnelStore {
    let contents = Mutex(MemoryStoreContents())

    /// Creates an empty store.
    public init() {}

    /// Makes the store belong to `identity`, or checks that it does.
    ///
    /// - Throws: ``StoreError/otherData(_:)`` where it belongs to something else.
    public func open(_ identity: StoreIdentity) throws(StoreError) -> [PartitionProgress] {
        try contents.withLock { contents throws(StoreError) in try contents.open(identity) }
    }

    /// How far each partition has been taken in.
    public func progress() throws(StoreError) -> [PartitionProgress] {
        contents.withLock { $0.progress }
    }

    /// The rows of those of `installs` that have one.
    public func installs(_ installs: [[UInt8]]) throws(StoreError) -> [StoredInstall] {
        contents.withLock { contents in installs.compactMap { contents.installs[$0] } }
    }

    /// Makes all of `commit` true, or none of it.
    ///
    /// - Throws: ``StoreError/unusable(_:)`` where a segment cannot be read.
    public func commit(_ commit: StoreCommit) throws(StoreError) -> CommitOutcome {
        try contents.withLock { contents throws(StoreError) in try contents.apply(commit) }
    }

    /// The first rows after an install, in the order of their bytes.
    public func installs(after install: [UInt8]?, limit: Int) throws(StoreError) -> [StoredInstall] {
        contents.withLock { $0.installs(after: install, limit: limit) }
    }

    /// Puts smaller states that mean the same in the place of rows' states, where a row still has the version.
    public func compact(_ rows: [StoredInstall]) throws(StoreError) {
        contents.withLock { $0.compact(rows) }
    }

    /// Does nothing: another consumer of this process may use the store at once.
    public func close() {}
}

extension MemoryFunnelStore: FunnelAuditing {
    /// The funnels that the store was opened with; none before.
    public var funnels: [Funnel] {
        contents.withLock { $0.identity?.funnels ?? [] }
    }

    /// Runs `body` on the store as it is now, whatever is committed meanwhile.
    public func withSnapshot<R>(_ body: (any SummarySource) throws -> R) throws -> R {
        // A copy of the value is the snapshot: commits that come later change another one.
        try body(contents.withLock { $0 })
    }

    /// Runs `body` on the whole store as it is now, whatever is committed meanwhile.
    public func withAudit<R>(_ body: (any FunnelAudit) throws -> R) throws -> R {
        try body(MemoryAudit(contents: contents.withLock { $0 }))
    }
}
