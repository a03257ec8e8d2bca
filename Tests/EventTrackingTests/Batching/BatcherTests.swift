import FlowEvents
import Testing

@testable import EventTracking

@Suite struct BatcherTests {
    private static let busy = SinkFailure(code: "busy", detail: "try later")

    private func batcher(
        count: Int = 3,
        bytes: Int = 1000,
        queue: Int = 10,
        queueBytes: Int = 10_000,
        inFlight: Int = 1
    ) -> Batcher<Int> {
        let configuration = BatchingConfiguration(
            maximumBatchCount: count,
            maximumBatchBytes: bytes,
            maximumAge: .seconds(10),
            maximumQueueCount: queue,
            maximumQueueBytes: queueBytes,
            backoff: Backoff(base: .seconds(1), maximum: .seconds(8))
        )
        return Batcher(configuration: configuration, maximumBatchesInFlight: inFlight)
    }

    private func items(_ items: ClosedRange<Int>, bytes: Int = 10) -> [(item: Int, bytes: Int)] {
        items.map { ($0, bytes) }
    }

    /// Returns actions as text, which is easy to compare and to read.
    private func text(_ actions: [Batcher<Int>.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .send(let id, let items): "send \(id) \(items)"
            case .forget(let items): "forget \(items)"
            case .drop(let items, let reason, _): "drop \(items) \(reason)"
            case .retry(let count, let delay, let failure): "retry \(count) in \(delay) \(failure.code)"
            case .pause(let count, let failure): "pause \(count) \(failure.code)"
            case .flushSink: "flush sink"
            case .finish(let id): "finish \(id)"
            }
        }
    }

    @Test func `a pause holds everything until it is resumed, and ends flushes`() {
        var batcher = batcher()
        _ = batcher.add(items(1...3), at: .zero)
        _ = batcher.submitted(at: .zero)
        #expect(text(batcher.flush(1, at: .zero)) == ["flush sink"])
        let pause = EventOutcome.pause(SinkFailure(code: "http_401", detail: ""))
        let actions = batcher.settled(1, outcomes: [.delivered, pause, pause], at: .zero, jitter: 0.5)
        #expect(text(actions) == ["forget [1]", "pause 2 http_401", "finish 1"])
        #expect(text(batcher.add(items(4...9), at: .seconds(100))) == [])
        #expect(batcher.nextWake == nil)
        #expect(text(batcher.flush(2, at: .seconds(100))) == ["finish 2"])
        #expect(text(batcher.resume(at: .seconds(100))) == ["send 2 [2, 3, 4]"])
    }

    @Test func `waits go on where a snapshot is restored`() {
        var first = batcher()
        _ = first.add(items(1...3), at: .zero)
        _ = first.submitted(at: .zero)
        let retry = EventOutcome.retry(SinkFailure(code: "http_503", detail: ""), after: .seconds(30))
        _ = first.settled(1, outcomes: [retry, retry, retry], at: .zero, jitter: 0.5)
        var second = batcher()
        second.restore(first.retrySnapshot(at: .seconds(10)), at: .seconds(100))
        #expect(text(second.add(items(1...3), at: .seconds(100))) == [])
        #expect(second.nextWake == .seconds(120))
        #expect(text(second.flush(1, at: .seconds(101))) == ["finish 1"])
        #expect(text(second.wake(at: .seconds(120))) == ["send 1 [1, 2, 3]"])
        _ = second.submitted(at: .seconds(120))
        _ = second.settled(1, outcomes: [retry], at: .seconds(120), jitter: 0.5)
        #expect(second.retrySnapshot(at: .seconds(120)).failures == 2)
    }

    @Test func `a batch leaves when the count is reached`() {
        var batcher = batcher()
        #expect(text(batcher.add(items(1...2), at: .zero)) == [])
        #expect(text(batcher.add(items(3...4), at: .zero)) == ["send 1 [1, 2, 3]"])
    }

    @Test func `a batch leaves when the bytes are reached, and weighs no more`() {
        var batcher = batcher(bytes: 25)
        #expect(text(batcher.add(items(1...2), at: .zero)) == [])
        #expect(text(batcher.add(items(3...3), at: .zero)) == ["send 1 [1, 2]"])
    }

    @Test func `an item heavier than a batch leaves alone`() {
        var batcher = batcher(bytes: 25)
        #expect(text(batcher.add([(1, 99), (2, 1)], at: .zero)) == ["send 1 [1]"])
    }

    @Test func `a batch leaves when its oldest item has the age`() {
        var batcher = batcher()
        _ = batcher.add(items(1...1), at: .seconds(5))
        _ = batcher.add(items(2...2), at: .seconds(9))
        #expect(batcher.nextWake == .seconds(15))
        #expect(text(batcher.wake(at: .milliseconds(14_999))) == [])
        #expect(text(batcher.wake(at: .seconds(15))) == ["send 1 [1, 2]"])
        #expect(batcher.nextWake == nil)
    }

    @Test func `the next batch is submitted when the sink has room, and so many are on their way`() {
        var batcher = batcher(inFlight: 2)
        #expect(text(batcher.add(items(1...9), at: .zero)) == ["send 1 [1, 2, 3]"])
        #expect(text(batcher.submitted(at: .zero)) == ["send 2 [4, 5, 6]"])
        #expect(text(batcher.submitted(at: .zero)) == [])
        #expect(
            text(batcher.settled(1, outcomes: [.delivered, .delivered, .delivered], at: .zero, jitter: 0))
                == ["forget [1, 2, 3]", "send 3 [7, 8, 9]"]
        )
    }

    @Test func `past the bound the oldest waiting items are dropped, never those on their way`() {
        var batcher = batcher(queue: 5)
        _ = batcher.add(items(1...3), at: .zero)
        #expect(text(batcher.add(items(4...7), at: .zero)) == ["drop [4, 5] queueFull"])
        #expect(
            text(batcher.settled(1, outcomes: [.delivered, .delivered, .delivered], at: .zero, jitter: 0))
                == ["forget [1, 2, 3]"]
        )
        #expect(text(batcher.submitted(at: .seconds(10))) == ["send 2 [6, 7]"])
    }

    @Test func `an item that cannot fit is dropped itself and costs no other`() {
        var batcher = batcher(count: 100, queueBytes: 50)
        _ = batcher.add(items(1...4), at: .zero)
        #expect(text(batcher.add([(5, 51)], at: .zero)) == ["drop [5] queueFull"])
        #expect(text(batcher.add([(6, 25)], at: .zero)) == ["drop [1, 2] queueFull"])
    }

    @Test func `each item has its own outcome, and what is to be retried comes first`() {
        var batcher = batcher()
        _ = batcher.add(items(1...4), at: .zero)
        _ = batcher.submitted(at: .zero)
        let outcomes: [EventOutcome] = [.retry(Self.busy), .delivered, .rejected(SinkFailure(code: "bad", detail: ""))]
        #expect(
            text(batcher.settled(1, outcomes: outcomes, at: .zero, jitter: 0.5)) == [
                "forget [2]", #"drop [3] rejected(code: "bad")"#, "retry 1 in 0.5 seconds busy",
            ]
        )
        #expect(batcher.nextWake == .milliseconds(500))
        #expect(text(batcher.wake(at: .milliseconds(500))) == ["send 2 [1, 4]"])
    }

    @Test func `failures in a row wait longer, a success ends that`() {
        var batcher = batcher(count: 1)
        _ = batcher.add(items(1...1), at: .zero)
        for (round, wait) in [1, 2, 4, 8, 8].enumerated() {
            _ = batcher.submitted(at: .zero)
            let actions = batcher.settled(round + 1, outcomes: [.retry(Self.busy)], at: .zero, jitter: 0.5)
            #expect(text(actions) == ["retry 1 in \(Duration.seconds(wait) / 2) busy"])
            #expect(text(batcher.wake(at: .seconds(100))) == ["send \(round + 2) [1]"])
        }
        _ = batcher.submitted(at: .zero)
        _ = batcher.settled(6, outcomes: [.delivered], at: .zero, jitter: 0.5)
        _ = batcher.add(items(2...2), at: .zero)
        _ = batcher.submitted(at: .zero)
        #expect(
            text(batcher.settled(7, outcomes: [.retry(Self.busy)], at: .zero, jitter: 0.5))
                == ["retry 1 in 0.5 seconds busy"]
        )
    }

    @Test func `batches that fail together are one failure, and go back in their order`() {
        var batcher = batcher(count: 1, inFlight: 3)
        _ = batcher.add(items(1...3), at: .zero)
        _ = batcher.submitted(at: .zero)
        _ = batcher.submitted(at: .zero)
        _ = batcher.submitted(at: .zero)
        #expect(text(batcher.settled(2, outcomes: [.retry(Self.busy)], at: .zero, jitter: 0.5)).count == 1)
        #expect(text(batcher.settled(3, outcomes: [.retry(Self.busy)], at: .zero, jitter: 0.5)) == [])
        #expect(text(batcher.settled(1, outcomes: [.retry(Self.busy)], at: .zero, jitter: 0.5)) == [])
        #expect(text(batcher.wake(at: .milliseconds(500))) == ["send 4 [1]"])
        #expect(text(batcher.submitted(at: .milliseconds(500))) == ["send 5 [2]"])
        #expect(text(batcher.submitted(at: .milliseconds(500))) == ["send 6 [3]"])
    }

    @Test func `a time that the sink names is kept, also by a flush`() {
        var batcher = batcher(count: 1)
        _ = batcher.add(items(1...1), at: .zero)
        _ = batcher.submitted(at: .zero)
        let outcomes = [EventOutcome.retry(Self.busy, after: .seconds(60))]
        #expect(
            text(batcher.settled(1, outcomes: outcomes, at: .seconds(1), jitter: 0)) == ["retry 1 in 60.0 seconds busy"]
        )
        #expect(text(batcher.flush(1, at: .seconds(60))) == ["finish 1"])
        #expect(text(batcher.wake(at: .seconds(61))) == ["send 2 [1]"])
    }

    @Test func `neither a later failure nor a success shortens a time that the sink has named`() {
        var batcher = batcher(count: 1, inFlight: 3)
        _ = batcher.add(items(1...3), at: .zero)
        _ = batcher.submitted(at: .zero)
        _ = batcher.submitted(at: .zero)
        _ = batcher.submitted(at: .zero)
        _ = batcher.settled(1, outcomes: [.retry(Self.busy, after: .seconds(60))], at: .zero, jitter: 0)
        _ = batcher.settled(2, outcomes: [.retry(Self.busy)], at: .zero, jitter: 0)
        _ = batcher.settled(3, outcomes: [.delivered], at: .zero, jitter: 0)
        #expect(batcher.nextWake == .seconds(60))
    }

    @Test func `a flush sends what waits, hurries the sink, and ends with the last outcome`() {
        var batcher = batcher(inFlight: 2)
        _ = batcher.add(items(1...2), at: .zero)
        #expect(text(batcher.flush(1, at: .zero)) == ["send 1 [1, 2]"])
        _ = batcher.add(items(3...3), at: .zero)
        #expect(text(batcher.submitted(at: .zero)) == ["flush sink"])
        #expect(
            text(batcher.settled(1, outcomes: [.delivered, .delivered], at: .zero, jitter: 0))
                == ["forget [1, 2]", "finish 1"]
        )
    }

    @Test func `a flush with nothing to send ends at once`() {
        var batcher = batcher()
        #expect(text(batcher.flush(1, at: .zero)) == ["finish 1"])
    }

    @Test func `a flush tries once, at once, and ends with the failure`() {
        var batcher = batcher()
        _ = batcher.add(items(1...1), at: .zero)
        _ = batcher.flush(1, at: .zero)
        _ = batcher.submitted(at: .zero)
        let failed = batcher.settled(1, outcomes: [.retry(Self.busy)], at: .zero, jitter: 0.5)
        #expect(text(failed) == ["retry 1 in 0.5 seconds busy", "finish 1"])
        #expect(text(batcher.flush(2, at: .zero)) == ["send 2 [1]"])
    }

    @Test func `a persistent flush goes on with backoff until nothing is left`() {
        var batcher = batcher()
        _ = batcher.add(items(1...1), at: .zero)
        _ = batcher.flush(1, isPersistent: true, at: .zero)
        _ = batcher.submitted(at: .zero)
        let failed = batcher.settled(1, outcomes: [.retry(Self.busy)], at: .zero, jitter: 0.5)
        #expect(text(failed) == ["retry 1 in 0.5 seconds busy"])
        _ = batcher.wake(at: .milliseconds(500))
        _ = batcher.submitted(at: .milliseconds(500))
        #expect(
            text(batcher.settled(2, outcomes: [.delivered], at: .seconds(1), jitter: 0)) == ["forget [1]", "finish 1"]
        )
    }

    @Test func `giving up says what was on its way and what was not, and ends every flush`() {
        var batcher = batcher()
        _ = batcher.add(items(1...4), at: .zero)
        _ = batcher.flush(1, isPersistent: true, at: .zero)
        #expect(text(batcher.abandon()) == ["drop [1, 2, 3] unconfirmed", "drop [4] shutdown", "finish 1"])
        #expect(text(batcher.settled(1, outcomes: [.delivered, .delivered, .delivered], at: .zero, jitter: 0)) == [])
        #expect(text(batcher.add(items(5...5), at: .zero)) == ["drop [5] shutdown"])
    }

    @Test func `an item that the sink says nothing about is rejected`() {
        var batcher = batcher()
        _ = batcher.add(items(1...3), at: .zero)
        #expect(
            text(batcher.settled(1, outcomes: [.delivered], at: .zero, jitter: 0))
                == ["forget [1]", #"drop [2, 3] rejected(code: "no_outcome")"#]
        )
    }
}
