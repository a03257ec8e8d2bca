public import FlowEvents
public import Funnels
import Synchronization

/// A store in memory, for tests, for trials, and for counting a topic without keeping the counts.
///
/// ```swift
/// let store = MemoryFunnelStore()
/// let progress = try store.open(identity)
/// ```
///
/// The store ends with its process. Every method may be called from any thread and returns at once.
public final class MemoryFunnelStore: FunnelStore {
    let contents = Mutex(MemoryStoreContents())
    let location = MemoryStoreLocation()
    private let knownFunnels = KnownFunnels()

    /// Creates an empty store.
    public init() {}

    /// Assigns the empty store to `identity`, or checks that it belongs to it.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/otherData`` if the store belongs to another identity.
    public func open(_ identity: StoreIdentity) throws(StoreError) -> [PartitionProgress] {
        try update { contents in
            if let stored = contents.storedIdentity {
                try identity.check(against: stored, in: "the store \(location.name)")
            }
            contents.assign(to: identity)
            try contents.keepTimeZones(of: identity.funnels, known: identity.timeZones)
            knownFunnels.learn(generation: contents.generation())
            return contents.progress()
        }
    }

    /// Returns the transitions of the funnels' time zones, which the store keeps since it first counted in them.
    public func timeZones(of funnels: [Funnel]) throws(StoreError) -> TimeZoneTables {
        try update { try $0.timeZones(of: funnels) }
    }

    /// Returns the progress of each partition.
    public func progress() throws(StoreError) -> [PartitionProgress] {
        contents.withLock { $0.progress() }
    }

    /// Returns the time before which evidence may have been removed.
    public func horizon() throws(StoreError) -> Timestamp? { contents.withLock { $0.horizon } }

    /// Raises the horizon as far as the partitions allow.
    public func raiseHorizon(_ facts: StreamFacts) throws(StoreError) -> Timestamp? {
        contents.withLock { contents in
            contents.horizon = contents.stream().raisedHorizon(facts)
            return contents.horizon
        }
    }

    /// Returns the rows of the given installs with a part of their history. An install without a row is left out.
    public func installs(_ installs: [[UInt8]], history: HistoryPart) throws(StoreError) -> [StoredInstall] {
        contents.withLock { contents in installs.compactMap { contents.installs[$0]?.with(history) } }
    }

    /// Applies a commit, or changes nothing.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/unusable`` if a segment cannot be read.
    public func commit(_ commit: StoreCommit) throws(StoreError) -> CommitOutcome {
        try update { contents in
            if let change = try knownFunnels.change(in: contents, at: location) {
                return .rebuilt(knownFunnels.learn(change))
            }
            return try contents.apply(commit)
        }
    }

    /// Returns the store's new funnels if a rebuild has changed them since the consumer last learned them.
    public func takeRebuiltFunnels() throws(StoreError) -> RebuiltFunnels? {
        try update { try knownFunnels.change(in: $0, at: location).map(knownFunnels.learn) }
    }

    /// Returns the rows that follow an install with their catalogs, in the order of their bytes.
    public func installs(after install: [UInt8]?, limit: Int) throws(StoreError) -> [StoredInstall] {
        contents.withLock { $0.installs(after: install, limit: limit, history: .catalog) }
    }

    /// Returns the same rows as they are now, with all of their history.
    public func withHistory(_ rows: [StoredInstall]) throws(StoreError) -> [StoredInstall] {
        try installs(rows.map(\.install), history: .all)
    }

    /// Replaces rows that still have the expected version by smaller ones with the same meaning.
    public func compact(_ writes: [InstallWrite]) throws(StoreError) {
        try update { contents in
            guard try knownFunnels.areCurrent(in: contents) else { return }
            contents.compact(writes)
        }
    }

    /// Does nothing: another consumer of this process may use the store at once.
    public func close() {}

    private func update<R: Sendable>(_ body: (inout MemoryStoreContents) throws -> R) throws(StoreError) -> R {
        try location.translating { try contents.withLock { try body(&$0) } }
    }
}

extension MemoryFunnelStore: FunnelAuditing {
    /// The funnels that the store was opened with; empty before.
    public var funnels: [Funnel] {
        contents.withLock { $0.storedIdentity?.funnels ?? [] }
    }

    /// How often rebuilds have changed the funnels; `nil` before the store was opened.
    public var generation: Int64? {
        contents.withLock { $0.generation() }
    }

    /// Runs `body` on the current state of the store. Later commits do not change it.
    public func withSnapshot<R>(_ body: (any SummarySource) throws -> R) throws -> R {
        // The copy is the snapshot.
        try body(contents.withLock { $0 })
    }

    /// Runs `body` on the current state of the whole store. Later commits do not change it.
    public func withAudit<R>(_ body: (any FunnelAudit) throws -> R) throws -> R {
        try body(MemoryAudit(queries: contents.withLock { $0 }))
    }
}

/// One state of a whole ``MemoryFunnelStore``.
private struct MemoryAudit: FunnelAudit, StoreView {
    let queries: MemoryStoreContents

    var summary: any SummarySource { queries }

    func forEachInstall(_ body: (StoredInstall) throws -> Void) throws {
        for row in queries.installs.values { try body(row) }
    }
}

/// The location of every store in memory: there is nothing to tell them apart by.
struct MemoryStoreLocation: StoreLocation {
    let name = "in memory"

    func damaged(_ detail: String) -> StoreError {
        .unusable("the store \(name) is damaged (\(detail)): count again into a new store")
    }

    func storeError(for error: any Error) -> StoreError? { nil }
}
