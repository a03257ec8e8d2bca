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

@Suite(.waits) struct StoreWriterTests {
    private let store = TemporaryStore()
    private let writer: StoreWriter
    private var intake: RecordIntake

    init() throws {
        let funnels = try homeToPaywall()
        _ = try store.open(StoreIdentity(clusterID: "cluster", topic: "app-events", funnels: funnels))
        writer = StoreWriter(Committer(store: store, funnels: funnels, isNew: true))
        intake = RecordIntake(funnels: funnels, allowedLateness: .max)
        intake.assign(0, stored: nil)
    }

    private mutating func readOne(offset: Int64) throws -> (EventInterval, [PartitionAdvance]) {
        try screenView("home", "a", second: offset).encoded().withUnsafeBytes {
            _ = intake.take($0, timestamp: nil, partition: 0, offset: offset)
        }
        return (intake.takeInterval(), intake.takeAdvances())
    }

    @Test func `a writer that has nothing to do has no outcome`() {
        #expect(writer.isIdle)
        #expect(writer.poll() == nil)
        #expect(writer.wait() == nil)
    }

    @Test mutating func `a commit runs while its owner goes on, and its outcome is had once`() throws {
        let gate = DispatchSemaphore(value: 0)
        let (interval, advances) = try readOne(offset: 0)
        writer.begin(interval, advances) {
            gate.wait()
        } onEnd: {
        }
        #expect(!writer.isIdle)
        #expect(writer.poll() == nil)
        #expect(try store.progress().isEmpty)
        gate.signal()
        #expect(try #require(writer.wait()).get() == nil)
        #expect(writer.isIdle)
        #expect(writer.wait() == nil)
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
        writer.begin(interval, advances) {
        } onEnd: {
        }
        let outcome = try #require(writer.wait()).get()
        #expect(outcome?.map(\.nextOffset) == [7])
        #expect(try store.installs([Array("a".utf8)]).isEmpty)
    }

    @Test mutating func `what fails before a commit keeps it from being made`() async throws {
        let told = Atomic(false)
        let (interval, advances) = try readOne(offset: 0)
        writer.begin(interval, advances) {
            throw StoreError.unavailable("locked")
        } onEnd: {
            told.store(true, ordering: .sequentiallyConsistent)
        }
        try await until("the end is told") { told.load(ordering: .sequentiallyConsistent) }
        let outcome = try #require(writer.poll())
        #expect(throws: StoreError.unavailable("locked")) { try outcome.get() }
        #expect(writer.isIdle)
        #expect(try store.progress().isEmpty)
    }
}
