import EventTracking
import FlowEvents

/// The backend of a tracker with a queue on the device: it stores tracked events, and sends stored events to the sink.
///
/// A `Batcher` of row numbers decides what is sent when. The events stay on the disk until they are sent.
actor DevicePipeline: TrackerBackend {
    // The maximum time that an event waits in memory for others to share its transaction. It limits how often threads
    // wake up, so it uses real time.
    private static let rest = Duration.milliseconds(20)
    private static let portion = 2000
    // A transaction is in the write-ahead log as a whole, so this bounds the log.
    private static let portionBytes = 512 * 1024
    private static let storageBackoff = Backoff(base: .seconds(1), maximum: .seconds(60))

    let parts: TrackerParts
    let queue: DeviceQueue
    let outbox: ErasureOutbox
    let run = Int64.random(in: 1...Int64.max)
    var batcher: Batcher<Int64>
    var flights: [Int: ClosedRange<Int64>] = [:]
    /// Settlements that are not written to the disk yet.
    var unsettled: [DeliverySettlement] = []
    /// Rows that the batcher received and that were dropped before they were sent.
    var evicted: Set<Int64> = []
    /// Increases when all rows are forgotten.
    var epoch = 0
    var isClockKnown = false
    var savedRetry = RetrySnapshot()
    var reportsLosses = false
    var timer = WakeTimer()
    var flushes = Waiters<Void, Never>()
    private var diskWaits = Waiters<Void, Never>()
    private var pending: WaitingEvents
    private var user: TrackerBuffer.User?
    private var hasStored = false
    private var skipped: [DropReason: Int] = [:]
    private var losses: [DropReason: Int] = [:]
    private var lastSeen: Int64 = 0
    var hasStarted = false
    private(set) var isOver = false
    var isMuted = false
    private var storageFailures = 0
    private var storageRetry: Duration?
    private let turns = SerialTasks()

    init(_ parts: TrackerParts, queue: DeviceQueue) {
        self.parts = parts
        self.queue = queue
        outbox = ErasureOutbox(parts, storage: .files(prefix: queue.configuration.folder + "/erasure-"))
        pending = WaitingEvents(
            maximumCount: parts.batching.maximumQueueCount,
            maximumBytes: parts.batching.maximumQueueBytes
        )
        var batching = parts.batching
        // The queue on the disk has its own limits.
        batching.maximumQueueCount = .max
        batching.maximumQueueBytes = .max
        batcher = Batcher(configuration: batching, maximumBatchesInFlight: parts.sink.maximumBatchesInFlight)
    }

    nonisolated var tracked: Int { parts.ledger.settled.tracked }

    func run() async {
        repeat {
            await inTurn { await $0.work(isUrgent: false) }
            try? await Task.sleep(for: Self.rest)
        } while !parts.buffer.letWorkerSleep()
    }

    @discardableResult
    func drain(isForced: Bool = false) async -> Bool {
        let isStored = Locked(false)
        await inTurn { pipeline in
            if isForced { await pipeline.queue.allowWhileSuspended(true) }
            await pipeline.work(isUrgent: true)
            if isForced { await pipeline.queue.allowWhileSuspended(false) }
            // Read within the turn, because the next one may take the events that this one could not store.
            let isOnDisk = await !pipeline.queue.isInMemory
            isStored.withLock { $0 = pipeline.pending.isEmpty && isOnDisk }
        }
        return isStored.withLock { $0 }
    }

    func inTurn(_ operation: @escaping @Sendable (isolated DevicePipeline) async -> Void) async {
        await turns.run { await operation(self) }
    }

    func work(isUrgent: Bool) async {
        takeIn(parts.buffer.take())
        if !isUrgent, let storageRetry, storageRetry > parts.timeline.elapsed { return }
        // Up to three attempts: after a damaged file, a new one is available immediately.
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
        endDiskWaits()
        setTimer()
    }

    func start() async throws(DeviceQueueError) {
        guard !hasStarted else { return try await queue.checkRows() }
        try await beginInstallIfErased()
        if await queue.hasOptedOut { parts.buffer.setOptedOut(true) }
        savedRetry = try await queue.loadRetry(at: parts.now())
        await queue.beginRows()
        batcher.restore(savedRetry, at: parts.timeline.elapsed)
        hasStarted = true
    }

    func takeIn(_ taken: TrackerBuffer.Chunk) {
        var chunk = taken
        if chunk.refused > 0 { lost(chunk.refused, .shutdown) }
        if chunk.optedOut > 0 { lost(chunk.optedOut, .optedOut) }
        if chunk.overflow > 0 { skip(chunk.overflow, .queueFull) }
        if let named = chunk.user { user = named }
        let entries = chunk.entries.removeFirst(chunk.entries.count)
        let kept = parts.buffer.filtered(entries, by: parts.filter)
        if kept.count < entries.count { lost(entries.count - kept.count, .filtered) }
        let excess = pending.add(kept)
        if excess > 0 { skip(excess, .notStored) }
    }

    private func skip(_ count: Int, _ reason: DropReason) {
        skipped[reason, default: 0] += count
        lost(count, reason)
    }

    /// Counts events that never entered the queue.
    private func lost(_ count: Int, _ reason: DropReason, detail: String? = nil) {
        parts.ledger.tracked(count)
        parts.ledger.dropped(Drop(reason: reason, count: count, detail: detail))
    }

    private func store() async throws(DeviceQueueError) {
        while !pending.isEmpty || !losses.isEmpty || reportsLosses || user != nil {
            if await queue.hasOptedOut {
                parts.buffer.setOptedOut(true)
                return forgetPending(.optedOut)
            }
            var addition = Addition(run: run, now: parts.now())
            addition.entries = pending.take(Self.portion, maximumBytes: Self.portionBytes)
            (addition.skipped, addition.losses, addition.reportsLosses) = (skipped, losses, reportsLosses)
            (skipped, losses, reportsLosses) = ([:], [:], false)
            (addition.user, addition.isLaunch, user) = (user, !hasStored, nil)
            do throws(DeviceQueueError) {
                count(try await queue.append(addition, makeStamper: parts.makeStamper))
                if !addition.entries.isEmpty { hasStored = true }
            } catch {
                pending.putBack(addition.entries)
                user = user ?? addition.user
                (skipped, losses, reportsLosses) = (addition.skipped, addition.losses, addition.reportsLosses)
                // The run has ended during this attempt, which was the last.
                if isOver { losePending() }
                throw error
            }
        }
    }

    private func count(_ added: Added) {
        for omission in added.omissions { parts.ledger.report(.omitted(omission)) }
        for violation in added.violations { lost(1, .invalid(violation.reason), detail: violation.detail) }
        for (reason, rows) in Dictionary(grouping: added.evicted, by: \.reason) {
            let seen = rows.filter { $0.row <= lastSeen }
            evicted.formUnion(seen.map(\.row))
            parts.ledger.tracked(rows.count - seen.count)
            parts.ledger.dropped(Drop(reason: reason, count: rows.count))
        }
    }

    func forgetPending(_ reason: DropReason) {
        let count = pending.take().count
        if count > 0 { lost(count, reason) }
        (skipped, losses, reportsLosses, user) = ([:], [:], false, nil)
    }

    /// Passes new rows to the batcher, also those of other processes.
    private func refill() async throws(DeviceQueueError) {
        guard !isMuted, !isOver else { return }
        if parts.asksForConsent, await !queue.hasConsented { return }
        while case let rows = try await queue.rows(after: lastSeen), let last = rows.last {
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
            // The new file has no offset for this run.
            isClockKnown = false
            let count = forgetAll(.damaged)
            if count > 0 { losses[.damaged, default: 0] += count }
            // The new file exists: try again immediately.
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

    /// Forgets all rows.
    ///
    /// - Returns: the number of rows.
    func forgetAll(_ reason: DropReason) -> Int {
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

    func flush(isPersistent: Bool) async {
        // The last chance of events that are not on the disk yet.
        if isPersistent { await waitForDisk() }
        async let erasures: Void = outbox.flush(isPersistent: isPersistent)
        await flushEvents(isPersistent: isPersistent)
        await erasures
    }

    private func flushEvents(isPersistent: Bool) async {
        let id = flushes.makeID()
        await withCheckedContinuation { continuation in
            flushes.add(continuation, id: id)
            perform(batcher.flush(id, isPersistent: isPersistent, at: parts.timeline.elapsed))
        }
    }

    func resume() async {
        perform(batcher.resume(at: parts.timeline.elapsed))
        await outbox.resume()
    }

    /// Ends the run. Events on the disk stay there for the next one.
    func abandon() async {
        isOver = true
        losePending()
        perform(batcher.abandon())
        await outbox.abandon()
        endDiskWaits()
    }

    private func losePending() {
        let count = pending.take().count
        if count > 0 { lost(count, .notStored) }
    }

    /// Waits until all events are on the disk, or the run is over.
    private func waitForDisk() async {
        guard !pending.isEmpty, !isOver else { return }
        let id = diskWaits.makeID()
        await withCheckedContinuation { diskWaits.add($0, id: id) }
    }

    private func endDiskWaits() {
        guard pending.isEmpty || isOver else { return }
        for wait in diskWaits.removeAll(where: { _ in true }) { wait.continuation.resume() }
    }

    /// When to try the disk again.
    var storageWake: Duration? {
        let hasWork =
            !pending.isEmpty || user != nil || !losses.isEmpty || reportsLosses || !unsettled.isEmpty || !hasStarted
        return hasWork && !isOver ? storageRetry : nil
    }
}
