package import FlowEvents
import Foundation
package import FunnelStore
import FunnelStoreSQLite
package import Funnels
import Synchronization

/// A store in a temporary folder, which goes with the value: the consumer's store, its reader and its rebuilder in one.
///
/// Several consumers of a test may use it one after another, so ``close()`` does nothing.
package final class TemporaryStore: BatchedStore {
    private let directory: URL
    /// The path of the file.
    package let path: String
    // A property of a suite cannot throw. The first call does.
    private let opened: Result<SQLiteFunnelStore, StoreError>
    private let seen = Mutex(Seen())

    private struct Seen {
        var historyReadCount = 0
        var written: [InstallWrite] = []
    }

    /// How often all of an install's history was read, but not by a commit in batches.
    package var historyReadCount: Int { seen.withLock { $0.historyReadCount } }

    /// The writes of the last commit that was not in batches.
    package var written: [InstallWrite] { seen.withLock { $0.written } }

    package init() {
        let name = "flow-funnels-store-\(UUID().uuidString)"
        directory = FileManager.default.temporaryDirectory.appending(path: name)
        path = directory.appending(path: "funnels.sqlite").path
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        opened = Result { [path] () throws(StoreError) in try SQLiteFunnelStore(path: path) }
    }

    deinit {
        // Best effort: the system cleans its temporary directory.
        try? FileManager.default.removeItem(at: directory)
    }

    private var store: SQLiteFunnelStore { get throws(StoreError) { try opened.get() } }

    package func open(_ identity: StoreIdentity) throws(StoreError) -> [PartitionProgress] {
        try store.open(identity)
    }

    package func timeZones(of funnels: [Funnel]) throws(StoreError) -> TimeZoneTables {
        try store.timeZones(of: funnels)
    }

    package func progress() throws(StoreError) -> [PartitionProgress] { try store.progress() }

    package func horizon() throws(StoreError) -> Timestamp? { try store.horizon() }

    package func raiseHorizon(_ settings: TopicSettings) throws(StoreError) -> Timestamp? {
        try store.raiseHorizon(settings)
    }

    package func installs(_ installs: [[UInt8]], history: HistoryPart) throws(StoreError) -> [StoredInstall] {
        if history == .all { seen.withLock { $0.historyReadCount += installs.count } }
        return try store.installs(installs, history: history)
    }

    package func erasureKey() throws(StoreError) -> ErasureKey? { try store.erasureKey() }

    package func commit(_ commit: StoreCommit) throws(StoreError) -> CommitOutcome {
        seen.withLock { $0.written = commit.installs }
        return try store.commit(commit)
    }

    package func commit(
        moving partitions: [PartitionAdvance],
        _ body: (any RowTransaction) throws -> StoreCommit?
    ) throws -> CommitOutcome { try store.commit(moving: partitions, body) }

    package func takeRebuiltFunnels() throws(StoreError) -> RebuiltFunnels? { try store.takeRebuiltFunnels() }

    package func installs(after install: [UInt8]?, limit: RowLimit) throws(StoreError) -> [StoredInstall] {
        try store.installs(after: install, limit: limit)
    }

    package func withHistory(_ rows: [StoredInstall], limit: RowLimit) throws(StoreError) -> [StoredInstall] {
        try store.withHistory(rows, limit: limit)
    }

    package func compact(_ writes: [InstallWrite]) throws(StoreError) { try store.compact(writes) }

    package func close() {}
}

extension TemporaryStore: FunnelAuditing {
    /// The funnels that the store counts now; empty before it is opened.
    package var funnels: [Funnel] { (try? SQLiteFunnelReader(path: path).funnels) ?? [] }

    package var generation: Int64? { try? SQLiteFunnelReader(path: path).generation }

    package func withSnapshot<R>(_ body: (any SummarySource) throws -> R) throws -> R {
        try SQLiteFunnelReader(path: path).withSnapshot(body)
    }

    package func withAudit<R>(_ body: (any FunnelAudit) throws -> R) throws -> R {
        try SQLiteFunnelReader(path: path).withAudit(body)
    }
}

extension TemporaryStore: FunnelRebuilding {
    package func identity() throws(StoreError) -> StoreIdentity? {
        try SQLiteFunnelRebuilder(path: path).identity()
    }

    package func erasedInstalls() throws(StoreError) -> ErasedInstalls? {
        try SQLiteFunnelRebuilder(path: path).erasedInstalls()
    }

    package func rebuild<R>(_ body: (any StoreRebuild) throws -> R) throws -> R {
        try SQLiteFunnelRebuilder(path: path).rebuild(body)
    }
}
