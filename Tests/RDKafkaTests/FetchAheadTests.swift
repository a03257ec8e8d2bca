import FlowTestSupport
import Foundation
import Testing

@testable import RDKafka

@Suite struct FetchAheadTests {
    private func wakes(_ lengths: [Int]) -> [Int] {
        var fetchAhead = FetchAhead()
        return lengths.filter { fetchAhead.needsWake(length: $0) }
    }

    @Test func `a queue that is emptied wakes the connections each time it has lost a quarter`() {
        let lengths = Array(stride(from: 10_000, through: 0, by: -100))
        #expect(wakes(lengths) == [7400, 5500, 4100, 3000, 2200, 1600, 1100, 800])
    }

    @Test func `a queue that grows, stays or is short wakes nobody`() {
        #expect(wakes([0, 500, 1200, 1100, 900, 900, 4000, 3000, 3100]).isEmpty)
        #expect(wakes([999, 0, 900, 10, 0]).isEmpty)
    }
}

@Suite(.waits) struct FetchAheadConsumerTests {
    // Without a wake, librdkafka looks at a full queue again up to a second later.
    @Test func `a consumer that empties a full queue is not kept waiting`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        for start in stride(from: 0, to: 40_000, by: 250) { try await broker.publish(start..<(start + 250), to: "t") }
        try await onThread {
            // What else wakes the connections is turned off.
            let consumer = try broker.consumer([
                "topic.metadata.refresh.interval.ms": "60000", "queued.min.messages": "2000",
                "fetch.message.max.bytes": "4000", "fetch.wait.max.ms": "5",
            ])
            try consumer.assign("t", at: .earliest)
            var count = 0
            var longWaits = 0
            while count < 30_000 {
                let start = ContinuousClock.now
                while consumer.queue.length < 2000 {
                    try #require(start.duration(to: .now) < patience)
                    // librdkafka fetches on its own thread, which reports no event.
                    Thread.sleep(forTimeInterval: 0.001)
                }
                if count > 0, start.duration(to: .now) > .milliseconds(300) { longWaits += 1 }
                for _ in 0..<4 { count += consumer.poll(maxRecords: 500, timeout: .zero).records.count }
            }
            // Some 15 times the queue was full. A few waits may be those of a busy machine.
            #expect(longWaits < 4)
        }
    }
}
