import EventTracking
import FlowTestSupport
import Testing

@testable import FunnelDevServer

@Suite(.waits, .timeLimit(.minutes(5))) struct BacklogTests {
    @Test func `a batch waits until the slowest reader has made room`() async throws {
        let backlog = Backlog(limit: 100)
        await backlog.reserve(60)
        backlog.settle(60, publishedCount: 3)
        let waiting = Task { await backlog.reserve(60) }
        backlog.setReadCount(3, by: .tail)
        #expect(backlog.byteCount == 60)
        backlog.setReadCount(2, by: .consumer)
        #expect(backlog.byteCount == 60)
        backlog.setReadCount(3, by: .consumer)
        await waiting.value
        #expect(backlog.byteCount == 60)
    }

    @Test func `what Kafka did not take needs no reader`() async throws {
        let backlog = Backlog(limit: 100)
        await backlog.reserve(90)
        backlog.settle(90, publishedCount: 0)
        #expect(backlog.byteCount == 0)
    }

    @Test func `a batch beyond the limit goes alone`() async throws {
        let backlog = Backlog(limit: 100)
        await backlog.reserve(1_000)
        let waiting = Task { await backlog.reserve(1) }
        backlog.settle(1_000, publishedCount: 1)
        for reader in Backlog.Reader.allCases { backlog.setReadCount(1, by: reader) }
        await waiting.value
        #expect(backlog.byteCount == 1)
    }

    @Test func `many batches at once never exceed the limit, and all go through`() async throws {
        let backlog = Backlog(limit: 100)
        let sink = EventSink(send: { batch in
            #expect(backlog.byteCount <= 100)
            return batch.map { _ in .delivered }
        }).holdingBack(by: backlog)
        let batch = [EncodedEvent(id: "e", key: "", value: [UInt8](repeating: 0, count: 40))]
        let reader = Task {
            var count = 0
            while count < 200 {
                count += 1
                backlog.setReadCount(count, by: .tail)
                backlog.setReadCount(count, by: .consumer)
                await Task.yield()
            }
        }
        await withTaskGroup(of: Void.self) { tasks in
            for _ in 0..<200 { tasks.addTask { _ = await sink.submit(batch).outcomes() } }
        }
        await reader.value
        #expect(backlog.byteCount == 0)
    }
}
