import FlowEventTestSupport
import EventTrackingTestKit
import FlowEvents
import Testing

@testable import EventTracking

/// Compares random operations with a simple model: lists of the items that wait and that are in flight.
@Suite struct BatcherPropertyTests {
    @Test(arguments: Seeds.upTo(150))
    func `nothing is lost without a count, the order is kept, and no bound is passed`(seed: UInt64) {
        var run = Run(seed: seed)
        for _ in 0..<400 { run.step() }
        run.finish()
    }
}

private struct Run {
    private let seed: UInt64
    private let configuration: BatchingConfiguration
    private let slots: Int
    private var random: SeededRandom
    private var batcher: Batcher<Int>
    private var now = Duration.zero
    // The model.
    private var sizes: [Int] = []
    private var ages: [Duration] = []
    private var waiting: [Int] = []
    private var flying: [Int: [Int]] = [:]
    private var settledItems: Set<Int> = []
    private var submitting = false
    private var isPaused = false
    private var sinkWait = Duration.zero
    private var openFlushes: Set<Int> = []
    private var flushCount = 0

    init(seed: UInt64) {
        self.seed = seed
        var random = SeededRandom(seed: seed)
        slots = Int.random(in: 1...3, using: &random)
        configuration = BatchingConfiguration(
            maximumBatchCount: Int.random(in: 1...6, using: &random),
            maximumBatchBytes: Int.random(in: 1...60, using: &random),
            maximumAge: .seconds(Int.random(in: 0...5, using: &random)),
            maximumQueueCount: Int.random(in: 1...20, using: &random),
            maximumQueueBytes: Int.random(in: 10...150, using: &random),
            backoff: Backoff(base: .seconds(1), maximum: .seconds(4))
        )
        batcher = Batcher(configuration: configuration, maximumBatchesInFlight: slots)
        self.random = random
    }

    mutating func step() {
        now += .milliseconds(Int.random(in: 0...900, using: &random))
        switch Int.random(in: 0..<11, using: &random) {
        case 0..<4: add(Int.random(in: 1...8, using: &random))
        case 4: if submitting { submit() }
        case 5..<8: settle(deliverAll: false)
        case 8: check(batcher.wake(at: now))
        case 9: resume()
        default: flush(isPersistent: Bool.random(using: &random))
        }
    }

    /// Lets the sink take everything. Then a last flush must end, and every item must be delivered or dropped.
    mutating func finish() {
        resume()
        flush(isPersistent: true)
        for _ in 0..<500 where !openFlushes.isEmpty {
            if submitting { submit() }
            settle(deliverAll: true)
            now = max(now, batcher.nextWake ?? now)
            check(batcher.wake(at: now))
        }
        #expect(openFlushes.isEmpty && waiting.isEmpty && flying.isEmpty, "seed \(seed)")
        #expect(settledItems.count == sizes.count, "seed \(seed)")
    }

    private mutating func add(_ count: Int) {
        let first = sizes.count
        sizes += (0..<count).map { _ in Int.random(in: 1...40, using: &random) }
        ages += Array(repeating: now, count: count)
        // One at a time: the oldest are dropped until the new one fits. If it cannot fit, it is dropped itself.
        var expected: [Int] = []
        let bytesFlying = weight(flying.values.joined())
        let countFlying = flying.values.reduce(0) { $0 + $1.count }
        for item in first..<sizes.count {
            waiting.append(item)
            if countFlying + 1 > configuration.maximumQueueCount
                || bytesFlying + sizes[item] > configuration.maximumQueueBytes
            {
                expected.append(waiting.removeLast())
            }
            while countFlying + waiting.count > configuration.maximumQueueCount
                || bytesFlying + weight(waiting) > configuration.maximumQueueBytes
            {
                expected.append(waiting.removeFirst())
            }
        }
        settledItems.formUnion(expected)
        check(batcher.add((first..<sizes.count).map { ($0, sizes[$0]) }, at: now), dropped: expected)
    }

    private mutating func submit() {
        submitting = false
        check(batcher.submitted(at: now))
    }

    private mutating func resume() {
        isPaused = false
        check(batcher.resume(at: now))
    }

    private mutating func flush(isPersistent: Bool) {
        flushCount += 1
        openFlushes.insert(flushCount)
        check(batcher.flush(flushCount, isPersistent: isPersistent, at: now))
    }

    private mutating func settle(deliverAll: Bool) {
        guard let id = flying.keys.sorted().randomElement(using: &random) else { return }
        let items = flying.removeValue(forKey: id) ?? []
        let outcomes: [EventOutcome] = items.map { item in
            switch deliverAll ? 0 : Int.random(in: 0..<9, using: &random) {
            case 0..<5: return .delivered
            case 5: return .rejected(SinkFailure(code: "bad", detail: ""))
            case 6: return .retry(SinkFailure(code: "busy", detail: ""))
            case 7:
                isPaused = true
                return .pause(SinkFailure(code: "key", detail: ""))
            default:
                sinkWait = max(sinkWait, now + .seconds(1))
                return .retry(SinkFailure(code: "busy", detail: ""), after: .seconds(1))
            }
        }
        var expected = (forget: [Int](), drop: [Int]())
        for (item, outcome) in zip(items, outcomes) {
            switch outcome {
            case .delivered: expected.forget.append(item)
            case .rejected: expected.drop.append(item)
            case .retry, .pause: waiting.append(item)
            }
        }
        waiting.sort()
        settledItems.formUnion(expected.forget + expected.drop)
        let actions = batcher.settled(
            id,
            outcomes: outcomes,
            at: now,
            jitter: Double.random(in: 0..<1, using: &random)
        )
        check(actions, forgotten: expected.forget, dropped: expected.drop)
    }

    private mutating func check(
        _ actions: [Batcher<Int>.Action],
        forgotten: [Int] = [],
        dropped: [Int] = []
    ) {
        var actual = (forget: [Int](), drop: [Int]())
        for action in actions {
            switch action {
            case .send(let id, let items): take(id, items)
            case .forget(let items): actual.forget += items
            case .drop(let items, _, _): actual.drop += items
            case .finish(let id): #expect(openFlushes.remove(id) != nil, "flush \(id) ended twice, seed \(seed)")
            case .retry, .flushSink: break
            case .pause: #expect(isPaused, "seed \(seed)")
            }
        }
        #expect(actual.forget == forgotten && actual.drop == dropped, "seed \(seed)")
        #expect(flying.count <= slots, "seed \(seed)")
        let all = Array(flying.values.joined()) + waiting
        #expect(all.count <= configuration.maximumQueueCount, "seed \(seed)")
        #expect(weight(all) <= configuration.maximumQueueBytes, "seed \(seed)")
        #expect(all.count + settledItems.count == sizes.count, "seed \(seed)")
        checkNothingIsForgotten()
    }

    /// A batch is the longest prefix of the waiting items that the limits allow.
    private mutating func take(_ id: Int, _ items: [Int]) {
        #expect(!submitting && !isPaused && now >= sinkWait, "seed \(seed)")
        var expected = Array(waiting.prefix(configuration.maximumBatchCount))
        while expected.count > 1, weight(expected) > configuration.maximumBatchBytes { expected.removeLast() }
        #expect(items == expected, "seed \(seed)")
        waiting.removeFirst(items.count)
        flying[id] = items
        submitting = true
    }

    /// If items wait and a batch may be sent, there is a wake time, and it is in the future.
    private func checkNothingIsForgotten() {
        guard let oldest = waiting.first, !submitting, !isPaused, flying.count < slots else { return }
        guard let wake = batcher.nextWake else {
            Issue.record("item \(oldest) waits for nothing, seed \(seed)")
            return
        }
        #expect(wake > now, "seed \(seed)")
        let longestWait = max(configuration.maximumAge, configuration.backoff.maximum, .seconds(1))
        #expect(wake <= max(now, ages[oldest]) + longestWait, "seed \(seed)")
    }

    private func weight(_ items: some Sequence<Int>) -> Int {
        items.reduce(0) { $0 + sizes[$1] }
    }
}
