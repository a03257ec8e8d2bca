import Dispatch
import FunnelStore
import Synchronization
import Testing

@testable import FunnelConsumer

@Suite struct StoreWriterTests {
    private let writer = StoreWriter()

    @Test func `a writer that has nothing to do has no result`() {
        #expect(writer.isIdle && writer.poll() == nil && writer.wait() == nil)
    }

    @Test func `a job runs while its owner goes on, and its result is had once`() throws {
        let gate = DispatchSemaphore(value: 0)
        let ends = Atomic(0)
        writer.begin {
            gate.wait()
            return .committed
        } onEnd: {
            ends.add(1, ordering: .sequentiallyConsistent)
        }
        #expect(!writer.isIdle && writer.poll() == nil)
        gate.signal()
        #expect(try writer.wait()?.get() == .committed)
        #expect(writer.isIdle && writer.wait() == nil)
        // The next job runs after the end of the first was told.
        writer.begin {
            .fenced([])
        } onEnd: {
        }
        #expect(try writer.wait()?.get() == .fenced([]))
        let endCount = ends.load(ordering: .sequentiallyConsistent)
        #expect(endCount == 1)
    }

    @Test func `an error is a result`() async throws {
        let told = Atomic(false)
        writer.begin {
            throw StoreError.unavailable("locked")
        } onEnd: {
            told.store(true, ordering: .sequentiallyConsistent)
        }
        try await until("the end is told") { told.load(ordering: .sequentiallyConsistent) }
        let result = try #require(writer.poll())
        #expect(throws: StoreError.unavailable("locked")) { try result.get() }
        #expect(writer.isIdle)
    }
}
