import FlowEventTestSupport
import Dispatch
import FlowEvents
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Synchronization
import Testing

@testable import FunnelConsumer

@Suite(.waits) struct CommitThreadTests {
    private let store = TemporaryStore()
    private let commitThread: CommitThread
    private var intake: RecordIntake

    init() throws {
        let funnels = try homeToPaywall()
        _ = try store.open(StoreIdentity(clusterID: "cluster", topic: "app-events", funnels: funnels))
        commitThread = CommitThread(Committer(store: store, funnels: funnels, isNew: true))
        intake = RecordIntake(funnels: funnels, allowedLateness: .max)
        intake.assign(0, stored: nil)
    }

    private mutating func readOne(offset: Int64) throws -> (EventInterval, [PartitionAdvance]) {
        try screenView("home", "a", second: offset).encoded().withUnsafeBytes {
            _ = intake.take($0, timestamp: nil, partition: 0, offset: offset)
        }
        return (intake.takeInterval(), intake.takeAdvances())
    }

    @Test func `a thread that has nothing to commit has no outcome`() {
        #expect(commitThread.isIdle)
        #expect(commitThread.poll() == nil)
        #expect(commitThread.wait() == nil)
    }

    @Test mutating func `a commit runs while its owner goes on, and its outcome is had once`() throws {
        let gate = DispatchSemaphore(value: 0)
        let (interval, advances) = try readOne(offset: 0)
        commitThread.begin(interval, advances) {
            gate.wait()
        } onEnd: {
        }
        #expect(!commitThread.isIdle)
        #expect(commitThread.poll() == nil)
        #expect(try store.progress().isEmpty)
        gate.signal()
        #expect(try #require(commitThread.wait()).get() == nil)
        #expect(commitThread.isIdle)
        #expect(commitThread.wait() == nil)
        #expect(try store.progress().map(\.nextOffset) == [1])
    }

    @Test mutating func `partitions that another consumer has moved are the outcome, and nothing is committed`() throws
    {
        let rival = PartitionAdvance(
            partition: 0,
            expectedOffset: nil,
            nextOffset: 7,
            watermark: nil,
            quality: Quality(deadLetters: 7)
        )
        #expect(try store.commit(StoreCommit(partitions: [rival], installs: [], summary: [])) == .committed)
        let (interval, advances) = try readOne(offset: 0)
        commitThread.begin(interval, advances) {
        } onEnd: {
        }
        let outcome = try #require(commitThread.wait()).get()
        #expect(outcome?.map(\.nextOffset) == [7])
        #expect(try store.installs([Array("a".utf8)]).isEmpty)
    }

    @Test mutating func `what fails before a commit keeps it from being made`() async throws {
        let told = Atomic(false)
        let (interval, advances) = try readOne(offset: 0)
        commitThread.begin(interval, advances) {
            throw StoreError.unavailable("locked")
        } onEnd: {
            told.store(true, ordering: .sequentiallyConsistent)
        }
        try await until("the end is told") { told.load(ordering: .sequentiallyConsistent) }
        let outcome = try #require(commitThread.poll())
        #expect(throws: StoreError.unavailable("locked")) { try outcome.get() }
        #expect(commitThread.isIdle)
        #expect(try store.progress().isEmpty)
    }
}
