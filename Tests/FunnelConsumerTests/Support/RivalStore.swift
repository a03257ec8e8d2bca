import FlowEvents
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Synchronization

/// A memory store in which another consumer commits once, right before the first commit of records.
final class RivalStore: FunnelStore {
    /// The other consumer's work; it gets the commit that is about to be made.
    typealias Rival = @Sendable (TemporaryStore, StoreCommit) throws(StoreError) -> Void

    let contents = TemporaryStore()
    private let id: String?
    private let rival: Rival
    private let outcomes = Mutex<[CommitOutcome]>([])

    /// - Parameter id: the id of a store that consumers share.
    init(id: String? = nil, rival: @escaping Rival) {
        self.id = id
        self.rival = rival
    }

    /// The outcome of each commit from the first one of records on.
    var allOutcomes: [CommitOutcome] { outcomes.withLock { $0 } }

    func sharedID() throws(StoreError) -> String? { id }

    func open(_ identity: StoreIdentity) throws(StoreError) -> [PartitionProgress] { try contents.open(identity) }

    func progress() throws(StoreError) -> [PartitionProgress] { try contents.progress() }

    func installs(_ installs: [[UInt8]], history: HistoryPart) throws(StoreError) -> [StoredInstall] {
        try contents.installs(installs, history: history)
    }

    func commit(_ commit: StoreCommit) throws(StoreError) -> CommitOutcome {
        let isBeginning = allOutcomes.isEmpty && commit.partitions.allSatisfy { $0.quality == Quality() }
        if isBeginning { return try contents.commit(commit) }
        if allOutcomes.isEmpty { try rival(contents, commit) }
        let outcome = try contents.commit(commit)
        outcomes.withLock { $0.append(outcome) }
        return outcome
    }

    func horizon() throws(StoreError) -> Timestamp? { try contents.horizon() }

    func raiseHorizon(_ settings: TopicSettings) throws(StoreError) -> Timestamp? {
        try contents.raiseHorizon(settings)
    }

    func takeRebuiltFunnels() throws(StoreError) -> RebuiltFunnels? { try contents.takeRebuiltFunnels() }

    func close() {}
}
