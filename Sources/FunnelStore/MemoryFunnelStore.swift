public import Funnels
import Synchronization

/// A store in memory, for tests, for trying things out, and for working out a topic's counts without keeping them.
///
/// It is gone with its process. Every call is safe from any thread and returns at once.
public final class MemoryFunnelStore: FunnelStore {
    private let contents = Mutex(MemoryStoreContents())

    /// Creates an empty store.
    public init() {}

    public func open(_ identity: StoreIdentity) throws(StoreError) -> [PartitionProgress] {
        try contents.withLock { contents throws(StoreError) in try contents.open(identity) }
    }

    public func progress() throws(StoreError) -> [PartitionProgress] {
        contents.withLock { $0.progress }
    }

    public func installs(_ installs: [[UInt8]]) throws(StoreError) -> [StoredInstall] {
        contents.withLock { contents in installs.compactMap { contents.installs[$0] } }
    }

    public func commit(_ commit: StoreCommit) throws(StoreError) -> CommitOutcome {
        try contents.withLock { contents throws(StoreError) in try contents.apply(commit) }
    }
}

extension MemoryFunnelStore: FunnelReading {
    /// The funnels that the store was opened with; none before.
    public var funnels: [Funnel] {
        contents.withLock { $0.identity?.funnels ?? [] }
    }

    public func withSnapshot<R>(_ body: (any SummarySource) throws -> R) throws -> R {
        // A copy of the value is the snapshot: commits that come later change another one.
        try body(contents.withLock { $0 })
    }
}
