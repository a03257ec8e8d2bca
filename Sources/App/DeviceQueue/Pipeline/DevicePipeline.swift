import EventTracking
import FlowEvents

/// What is behind a tracker with a queue on the device: it stores what was tracked, and sees what is stored to the sink.
///
/// What to send when is ``Batcher``'s to decide, over the numbers of the queue's rows; the events stay on the disk until
/// they are sent.
actor DevicePipeline: TrackerBackend {
    // So long may an event wait in memory for others to share its transaction; about threads, hence real time.
    private static let rest = Duration.milliseconds(20)
    private static let portion = 2000
    private static let storageBackoff = Backoff(base: .seconds(1), maximum: .seconds(60))

    let parts: Parts
    let run = Int64.random(in: 1...Int64.max)
    var batcher: Batcher<Int64>
    var flights: [Int: ClosedRange<Int64>] = [:]
    /// Settlements that the disk has not taken yet.
    var unsettled: [DeliverySettlement] = []
    /// Rows that were seen, and dropped before they were sent.
    var evicted: Set<Int64> = []
    /// Raised when all that was seen is forgotten.
    var epoch = 0
    var isClockKnown = false
    var savedRetry = RetrySnapshot()
    var tellsLosses = false
    var timer = WakeTimer()
    var flushes = Waiters<Void, Never>()
    private var pending = FIFO<TrackerBuffer.Entry>()
    private var skipped: [DropReason: Int] = [:]
    private var losses: [DropReason: Int] = [:]
    private var lastSeen: Int64 = 0
    private var hasStarted = false
    private var isOver = false
    private var isMuted = false
    private var storageFailures = 0
    private var storageRetry: Duration?
    private let turns = SerialTasks()

    /// What a pipeline is made of.
    struct Parts: Sendable {
        var intake: TrackerBuffer
        var ledger: Ledger
        var queue: DeviceQueue
        var sink: EventSink
        var batching: BatchingConfiguration
        var timeline: Timeline
        var filter: EventFilter
        var now: @Sendable () -> Timestamp
        var jitter: @Sendable () -> Double
        var makeStamper: @Sendable (Identity) -> EventStamper
    }

    init(_ parts: Parts) {
        self.parts = parts
        var batching = parts.batching
        // The queue on the disk has bounds of its own.
        batching.maximumQueueCount = .max
        batching.maximumQueueBytes = .max
        batcher = Batcher(configuration: batching, maximumBatchesInFlight: parts.sink.maximumBatchesInFlight)
    }

    nonisolated var tracked: Int { parts.ledger.settled.tracked }

    func run() async {
        repeat {
            await inTurn { await $0.work(isUrgent: false) }
            try? await Task.sleep(for: Self.rest)
        } while !parts.intake.letWorkerSleep()
    }

    @discardableResult
    func drain() async -> Bool {
        let isStored = Locked(false)
        await inTurn { pipeline in
            await pipeline.work(isUrgent: true)
            // Within the turn: the next one may have in its hands what this one could not store.
            let isOnDisk = await !pipeline.parts.queue.isInMemory
            isStored.withLock { $0 = pipeline.pending.isEmpty && isOnDisk }
        }
        return isStored.withLock { $0 }
    }

    private func inTurn(_ operation: @escaping @Sendable (isolated DevicePipeline) async -> Void) async {
        await turns.run { await operation(self) }
    }

    private func work(isUrgent: Bool) async {
        takeIn()
        if !isUrgent, let storageRetry, storageRetry > parts.timeline.elapsed { return }
        // Twice more: a file that is left behind has its successor at once.
        for _ in 0..<3 {
            do throws(DeviceQueueError) {
                try await start()
                try await settleRest()
                try await store()
                try await refill()
                storageFailures = 0
                storageRetry = nil
                break
            } catch {
                await handle(error)
                if error.code == .unavailable { break }
            }
        }
        setTimer()
    }

    private func start() async throws(DeviceQueueError) {
        guard !hasStarted else { return }
        if await parts.queue.hasOptedOut { parts.intake.setOptedOut(true) }
        savedRetry = try await parts.queue.loadRetry(at: parts.now())
        batcher.restore(savedRetry, at: parts.timeline.elapsed)
        hasStarted = true
    }

    private func takeIn() {
        var chunk = parts.intake.take()
        if chunk.refused > 0 { lost(chunk.refused, .shutdown) }
        if chunk.optedOut > 0 { lost(chunk.optedOut, .optedOut) }
        if chunk.overflow > 0 { skip(chunk.overflow, .queueFull) }
        let entries = chunk.entries.removeFirst(chunk.entries.count)
        let kept = parts.filter.apply(to: entries)
        if kept.count < entries.count { lost(entries.count - kept.count, .filtered) }
        for entry in kept { pending.append(entry) }
        let excess = pending.count - parts.batching.maximumQueueCount
        guard excess > 0 else { return }
        _ = pending.removeFirst(excess)
        skip(excess, .notStored)
    }

    private func skip(_ count: Int, _ reason: DropReason) {
        skipped[reason, default: 0] += count
        lost(count, reason)
    }

    /// Counts what never came to the queue.
    private func lost(_ count: Int, _ reason: DropReason, detail: String? = nil) {
        parts.ledger.tracked(count)
        parts.ledger.dropped(Drop(reason: reason, count: count, detail: detail))
    }

    private func store() async throws(DeviceQueueError) {
        while !pending.isEmpty || !losses.isEmpty || tellsLosses {
            if await parts.queue.hasOptedOut {
                parts.intake.setOptedOut(true)
                return forgetPending()
            }
            var addition = Addition(run: run, now: parts.now())
            addition.entries = pending.removeFirst(Self.portion)
            (addition.skipped, addition.losses, addition.tellsLosses) = (skipped, losses, tellsLosses)
            (skipped, losses, tellsLosses) = ([:], [:], false)
            do throws(DeviceQueueError) {
                count(try await parts.queue.append(addition, makeStamper: parts.makeStamper))
            } catch {
                pending.prepend(addition.entries)
                (skipped, losses, tellsLosses) = (addition.skipped, addition.losses, addition.tellsLosses)
                throw error
            }
        }
    }

    private func count(_ added: Added) {
        for violation in added.violations { lost(1, .invalid(violation.reason), detail: violation.detail) }
        for (reason, rows) in Dictionary(grouping: added.evicted, by: \.reason) {
            let seen = rows.filter { $0.row <= lastSeen }
            evicted.formUnion(seen.map(\.row))
            parts.ledger.tracked(rows.count - seen.count)
            parts.ledger.dropped(Drop(reason: reason, count: rows.count))
        }
    }

    private func forgetPending() {
        let count = pending.removeFirst(pending.count).count
        if count > 0 { lost(count, .optedOut) }
        (skipped, losses, tellsLosses) = ([:], [:], false)
    }

    /// Hands what is new on the disk to the batcher, whichever process has put it there.
    private func refill() async throws(DeviceQueueError) {
        guard !isMuted, !isOver else { return }
        while case let rows = try await parts.queue.rows(after: lastSeen), let last = rows.last {
            lastSeen = last.row
            parts.ledger.tracked(rows.count)
            perform(batcher.add(rows.map { ($0.row, $0.bytes) }, at: parts.timeline.elapsed))
        }
    }

    func handle(_ error: DeviceQueueError) async {
        switch error.code {
        case .damaged:
            parts.ledger.report(.storage(error))
            hasStarted = false
            lastSeen = 0
            let count = forgetAll(.damaged)
            if count > 0 { losses[.damaged, default: 0] += count }
            // The new file is there: at once.
            storageRetry = parts.timeline.elapsed
        case .notWritable:
            parts.ledger.report(.storage(error))
            storageRetry = parts.timeline.elapsed
        default:
            // Reported once for each outage.
            if storageFailures == 0 { parts.ledger.report(.storage(error)) }
            storageFailures += 1
            let delay = Self.storageBackoff.delay(afterFailures: storageFailures, jitter: parts.jitter())
            storageRetry = parts.timeline.elapsed + max(.milliseconds(100), delay)
        }
        setTimer()
    }

    /// Forgets all rows; says how many there were.
    private func forgetAll(_ reason: DropReason) -> Int {
        epoch += 1
        evicted = []
        unsettled = []
        flights = [:]
        let actions = batcher.clear(reason)
        var count = 0
        for case .drop(let rows, _, _) in actions { count += rows.count }
        if count > 0 { parts.ledger.dropped(Drop(reason: reason, count: count)) }
        perform(actions)
        return count
    }

    func setOptedOut(_ hasOptedOut: Bool) async throws {
        if hasOptedOut { parts.intake.setOptedOut(true) }
        let failure = Locked<DeviceQueueError?>(nil)
        await inTurn { pipeline in
            do throws(DeviceQueueError) {
                if hasOptedOut {
                    pipeline.isMuted = true
                    pipeline.takeIn()
                    pipeline.forgetPending()
                    _ = pipeline.forgetAll(.optedOut)
                }
                try await pipeline.parts.queue.setOptedOut(hasOptedOut)
                pipeline.isMuted = false
                if !hasOptedOut { pipeline.parts.intake.setOptedOut(false) }
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    func flush(isPersistent: Bool) async {
        let id = flushes.makeID()
        await withCheckedContinuation { continuation in
            flushes.add(continuation, id: id)
            perform(batcher.flush(id, isPersistent: isPersistent, at: parts.timeline.elapsed))
        }
    }

    func resume() async {
        perform(batcher.resume(at: parts.timeline.elapsed))
    }

    /// Ends the run: what is on the disk stays there for the next one.
    func abandon() async {
        isOver = true
        let count = pending.removeFirst(pending.count).count
        if count > 0 { lost(count, .notStored) }
        perform(batcher.abandon())
    }

    /// When the disk is to be tried again.
    var storageWake: Duration? {
        let hasWork = !pending.isEmpty || !losses.isEmpty || tellsLosses || !unsettled.isEmpty || !hasStarted
        return hasWork && !isOver ? storageRetry : nil
    }
}
