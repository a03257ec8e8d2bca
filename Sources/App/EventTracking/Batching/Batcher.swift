/// Decides which items are sent when: a bounded queue, batches and retries. It has no clock and does no I/O. Each method
/// receives what happened and returns the actions to perform, in order.
///
/// ```swift
/// var batcher = Batcher<Int64>(configuration: configuration, maximumBatchesInFlight: 1)
/// for action in batcher.add([(item: row, bytes: 512)], at: timeline.elapsed) { perform(action) }
/// ```
///
/// A time is the duration since a moment that the caller chose. An item is an encoded event in memory, or the row number
/// of an event on disk.
package struct Batcher<Item: Sendable>: Sendable {
    /// Identifies a batch in flight.
    package typealias BatchID = Int
    /// Identifies a flush.
    package typealias FlushID = Int

    /// What the caller must do.
    package enum Action: Sendable {
        /// Submit the batch to the sink and call ``submitted(at:)``. When the outcomes are known, call
        /// ``settled(_:outcomes:at:jitter:)``.
        case send(BatchID, [Item])
        /// Remove the items: they are delivered.
        case forget([Item])
        /// Remove, count and report the items: they will not be delivered.
        case drop([Item], DropReason, detail: String?)
        /// Report that this many events will be sent again, after the delay or later.
        case retry(count: Int, delay: Duration, SinkFailure)
        /// Report that this many events wait for ``resume(at:)``.
        case pause(count: Int, SinkFailure)
        /// Ask the sink to send what it has, without waiting for more.
        case flushSink
        /// Resume the caller of this flush.
        case finish(FlushID)
    }

    struct Entry: Sendable {
        let ticket: Int
        let item: Item
        let bytes: Int
        let addedAt: Duration
        var isRetry = false
    }

    struct Flight: Sendable {
        var entries: [Entry]
        var bytes: Int
        // Batches in flight together count as one failure. Only batches sent after a failure lengthen the backoff.
        var round: Int
    }

    struct Flush: Sendable {
        let id: FlushID
        let through: Int
        let isPersistent: Bool
        var hasFailed = false
        var hasAskedSink = false
    }

    let configuration: BatchingConfiguration
    let maximumBatchesInFlight: Int
    var waiting = FIFO<Entry>()
    var waitingBytes = 0
    var inFlight: [BatchID: Flight] = [:]
    // The totals of all batches in flight. They are kept, because every added item needs them.
    var inFlightCount = 0
    var inFlightBytes = 0
    var flushes: [Flush] = []
    var retry = RetryState()
    var isPaused = false
    private var isSubmitting = false
    private var isAbandoned = false
    private var nextTicket = 0
    private var nextBatch = 0

    /// Creates an empty queue.
    package init(configuration: BatchingConfiguration, maximumBatchesInFlight: Int) {
        self.configuration = configuration
        self.maximumBatchesInFlight = maximumBatchesInFlight
    }

    /// Appends items to the queue; `bytes` is the size of each.
    package mutating func add(_ items: [(item: Item, bytes: Int)], at now: Duration) -> [Action] {
        guard !isAbandoned else {
            return items.isEmpty ? [] : [.drop(items.map(\.item), .shutdown, detail: nil)]
        }
        var dropped: [Item] = []
        for (item, bytes) in items {
            let entry = Entry(ticket: nextTicket, item: item, bytes: bytes, addedAt: now)
            nextTicket += 1
            dropped += makeRoom(for: entry)
        }
        let drops = dropped.isEmpty ? [] : [Action.drop(dropped, .queueFull, detail: nil)]
        return drops + proceed(at: now)
    }

    /// Call this when the sink can take another batch.
    package mutating func submitted(at now: Duration) -> [Action] {
        isSubmitting = false
        return proceed(at: now)
    }

    /// Call this at the time of ``nextWake``.
    package mutating func wake(at now: Duration) -> [Action] {
        proceed(at: now)
    }

    /// Sends all queued items now, without waiting for a full batch.
    ///
    /// The flush makes one attempt immediately, unless the sink asked to wait. It ends when each of the items is delivered
    /// or dropped, or when an attempt failed and none of them is in flight. A persistent flush retries with the usual
    /// backoff until all its items are delivered or dropped.
    package mutating func flush(_ id: FlushID, isPersistent: Bool = false, at now: Duration) -> [Action] {
        var flush = Flush(id: id, through: nextTicket - 1, isPersistent: isPersistent)
        flush.hasFailed = !retry.hurry(at: now) || isPaused
        flushes.append(flush)
        return proceed(at: now)
    }

    /// Drops all items that are queued or in flight, ends every flush, and drops all items added later.
    package mutating func abandon() -> [Action] {
        isAbandoned = true
        return clear(unsent: .shutdown, unconfirmed: .unconfirmed)
    }

    /// Drops all items that are queued or in flight, for one reason, and ends every flush.
    package mutating func clear(_ reason: DropReason) -> [Action] {
        clear(unsent: reason, unconfirmed: reason)
    }

    /// Continues to send after a pause.
    package mutating func resume(at now: Duration) -> [Action] {
        isPaused = false
        return proceed(at: now)
    }

    private mutating func clear(unsent: DropReason, unconfirmed: DropReason) -> [Action] {
        let sent = inFlight.values.flatMap(\.entries).sorted { $0.ticket < $1.ticket }.map(\.item)
        let queued = waiting.removeFirst(waiting.count).map(\.item)
        inFlight = [:]
        inFlightCount = 0
        inFlightBytes = 0
        waitingBytes = 0
        var actions: [Action] = []
        if !sent.isEmpty { actions.append(.drop(sent, unconfirmed, detail: nil)) }
        if !queued.isEmpty { actions.append(.drop(queued, unsent, detail: nil)) }
        return actions + finishFlushes()
    }

    /// The time at which to call ``wake(at:)``, unless another call changes it; `nil` if there is nothing to wait for.
    package var nextWake: Duration? {
        guard let head = waiting.first, !isSubmitting, !isPaused, inFlight.count < maximumBatchesInFlight else {
            return nil
        }
        let isDue =
            head.isRetry || waiting.count >= configuration.maximumBatchCount
            || waitingBytes >= configuration.maximumBatchBytes
            || flushes.contains { ($0.isPersistent || !$0.hasFailed) && $0.through >= head.ticket }
        let due = isDue ? head.addedAt : head.addedAt + configuration.maximumAge
        return max(due, retry.waitsUntil ?? due)
    }

    /// Sends a batch if one is due, then ends the finished flushes.
    mutating func proceed(at now: Duration) -> [Action] {
        var actions: [Action] = []
        if let wake = nextWake, wake <= now { actions.append(takeBatch()) }
        if shouldFlushSink() { actions.append(.flushSink) }
        return actions + finishFlushes()
    }

    private mutating func takeBatch() -> Action {
        var flight = Flight(entries: [], bytes: 0, round: retry.round)
        while flight.entries.count < configuration.maximumBatchCount, let next = waiting.first,
            flight.entries.isEmpty || flight.bytes + next.bytes <= configuration.maximumBatchBytes
        {
            flight.bytes += next.bytes
            flight.entries.append(next)
            _ = waiting.popFirst()
        }
        waitingBytes -= flight.bytes
        inFlightCount += flight.entries.count
        inFlightBytes += flight.bytes
        nextBatch += 1
        inFlight[nextBatch] = flight
        isSubmitting = true
        return .send(nextBatch, flight.entries.map(\.item))
    }

    private mutating func shouldFlushSink() -> Bool {
        guard !isSubmitting else { return false }
        let head = waiting.first?.ticket ?? nextTicket
        var shouldFlush = false
        for index in flushes.indices where !flushes[index].hasAskedSink && flushes[index].through < head {
            flushes[index].hasAskedSink = true
            shouldFlush = shouldFlush || isInFlight(through: flushes[index].through)
        }
        return shouldFlush
    }
}

extension Batcher {
    /// Queues an entry and returns the items dropped for it: the oldest that are not in flight. If dropping all of them
    /// would not be enough, the entry itself is dropped.
    mutating func makeRoom(for entry: Entry) -> [Item] {
        let countLeft = configuration.maximumQueueCount - inFlightCount
        let bytesLeft = configuration.maximumQueueBytes - inFlightBytes
        guard countLeft >= 1, bytesLeft >= entry.bytes else { return [entry.item] }
        var dropped: [Item] = []
        while waiting.count + 1 > countLeft || waitingBytes + entry.bytes > bytesLeft,
            let oldest = waiting.popFirst()
        {
            waitingBytes -= oldest.bytes
            dropped.append(oldest.item)
        }
        waiting.append(entry)
        waitingBytes += entry.bytes
        return dropped
    }
}
