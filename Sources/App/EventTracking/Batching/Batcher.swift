/// Decides what is sent when: a queue with a bound, batches, retries. It has no clock and sends nothing: each method
/// takes in what happened and returns what to do about it, in that order.
///
/// Time is the duration since a moment that the caller has fixed. Items are what the caller likes them to be: encoded
/// events in memory, or the row numbers of events on a disk.
package struct Batcher<Item: Sendable>: Sendable {
    /// Names a batch on its way.
    package typealias BatchID = Int
    /// Names a flush.
    package typealias FlushID = Int

    /// What the caller has to do.
    package enum Action: Sendable {
        /// Submit the batch to the sink, then call ``submitted(at:)``, and ``settled(_:outcomes:at:jitter:)`` when its
        /// outcomes are known.
        case send(BatchID, [Item])
        /// Forget the items: they are delivered.
        case forget([Item])
        /// Forget the items, count and report them: they will not be delivered.
        case drop([Item], DropReason, detail: String?)
        /// Say that so many events will be sent again, not before the delay has passed.
        case retry(count: Int, delay: Duration, SinkFailure)
        /// Say that so many events wait until somebody calls ``resume(at:)``.
        case pause(count: Int, SinkFailure)
        /// Ask the sink not to linger over what it was given.
        case flushSink
        /// Tell whoever asked for this flush that it is over.
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
        // Batches that fail together are one failure: only those sent after the last one lengthen the backoff.
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
    // What the batches on their way come to: added up once, since every item that is queued asks for it.
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

    /// Queues items behind all others; `bytes` is what each weighs.
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

    /// The sink can take another batch.
    package mutating func submitted(at now: Duration) -> [Action] {
        isSubmitting = false
        return proceed(at: now)
    }

    /// The time of ``nextWake`` has come.
    package mutating func wake(at now: Duration) -> [Action] {
        proceed(at: now)
    }

    /// Sends all that is queued now, without waiting for more.
    ///
    /// The flush is over when each of these items is delivered or dropped, or when an attempt has failed and none of them
    /// is on its way: it tries once, at once, unless the sink has named a later time. A persistent flush goes on with
    /// the usual backoff until nothing of it is left.
    package mutating func flush(_ id: FlushID, isPersistent: Bool = false, at now: Duration) -> [Action] {
        var flush = Flush(id: id, through: nextTicket - 1, isPersistent: isPersistent)
        flush.hasFailed = !retry.hurry(at: now) || isPaused
        flushes.append(flush)
        return proceed(at: now)
    }

    /// Gives up: drops all that is queued and on its way, ends every flush, and drops what is added from now on.
    package mutating func abandon() -> [Action] {
        isAbandoned = true
        return clear(unsent: .shutdown, unconfirmed: .unconfirmed)
    }

    /// Drops all that is queued and on its way, for one reason, and ends every flush.
    package mutating func clear(_ reason: DropReason) -> [Action] {
        clear(unsent: reason, unconfirmed: reason)
    }

    /// Sends again after a pause.
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

    /// When to call ``wake(at:)`` if nothing else happens before; `nil` where time alone changes nothing.
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

    /// Sends what is due, then ends the flushes that are over.
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
    /// Queues an entry and returns what had to go for it: the oldest entries that are not on their way, or the entry
    /// itself where that would not be enough.
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
