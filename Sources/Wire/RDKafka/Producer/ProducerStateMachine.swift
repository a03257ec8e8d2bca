/// Decides the next action of a producer's thread. It has no clock, no thread and no librdkafka.
///
/// It hands batches to librdkafka one at a time, in the order of submission, as far as librdkafka's queue has room. It
/// gives up records only after the deadline for closing.
struct ProducerStateMachine<Batch> {
    enum Action {
        /// Hand over records of the batch, then call ``handedOver()`` or ``queueWasFull()``.
        case produce(Batch)
        /// Serve delivery reports. Wait for the first one at most this long.
        case poll(Duration)
        /// Send the queued records without lingering. Wait at most this long.
        case flush(Duration)
        /// The deadline has passed: purge librdkafka's queue, and fail the records of these batches that librdkafka
        /// does not have.
        case giveUp([Batch])
        /// Every record has a result: end the thread.
        case finish
    }

    private enum State {
        case open
        case closing(deadline: ContinuousClock.Instant)
        case purged
    }

    private var state = State.open
    private var waiting: [Batch] = []
    private var isQueueFull = false
    private var submitted = 0
    private var flushing: Flush?

    private enum Flush {
        /// Requested for this number of submitted batches, some of which librdkafka does not have yet.
        case wanted(submitted: Int)
        /// Active until this number of records is settled in all. It does not matter which ones; the flush only has to
        /// end.
        case active(settled: Int)
    }

    // A generic type has no stored static properties.
    /// The maximum wait of an idle producer; new work wakes it.
    static var idle: Duration { .milliseconds(100) }
    /// The maximum duration of one flush call, because `rd_kafka_flush` cannot be woken for new work.
    static var flushSlice: Duration { .milliseconds(10) }

    init() {}

    /// Adds a batch. Returns `false` if the producer is closing.
    mutating func submit(_ batch: Batch) -> Bool {
        guard case .open = state else { return false }
        waiting.append(batch)
        submitted += 1
        return true
    }

    /// librdkafka has the whole first batch.
    mutating func handedOver() {
        waiting.removeFirst()
    }

    /// librdkafka's queue is full: continue with the first batch after the next poll.
    mutating func queueWasFull() {
        isQueueFull = true
    }

    /// Requests a flush of all submitted batches.
    mutating func flush() {
        flushing = .wanted(submitted: submitted)
    }

    /// Closes the producer. A second call can only move the deadline forward.
    mutating func close(by deadline: ContinuousClock.Instant) {
        switch state {
        case .open: state = .closing(deadline: deadline)
        case .closing(let earlier): state = .closing(deadline: min(earlier, deadline))
        case .purged: break
        }
    }

    /// The next action.
    ///
    /// - Parameters:
    ///   - outstanding: the number of records that librdkafka has.
    ///   - settled: the number of records that librdkafka has reported on.
    ///   - now: the current time.
    mutating func next(outstanding: Int, settled: Int, now: ContinuousClock.Instant) -> Action {
        switch state {
        case .open:
            return produceOrWait() ?? (isFlushing(outstanding, settled) ? .flush(Self.flushSlice) : .poll(Self.idle))
        case .closing(let deadline):
            if waiting.isEmpty && outstanding == 0 {
                return .finish
            }
            guard now < deadline else {
                state = .purged
                defer { waiting = [] }
                return .giveUp(waiting)
            }
            let slice = min(Self.idle, deadline - now)
            return waiting.isEmpty ? .flush(slice) : produceOrWait(slice) ?? .flush(slice)
        case .purged:
            return outstanding == 0 ? .finish : .poll(Self.idle)
        }
    }

    private mutating func isFlushing(_ outstanding: Int, _ settled: Int) -> Bool {
        if case .wanted(let wanted) = flushing, submitted - waiting.count >= wanted {
            flushing = .active(settled: settled + outstanding)
        }
        guard case .active(let end) = flushing else { return false }
        if settled >= end { flushing = nil }
        return settled < end
    }

    private mutating func produceOrWait(_ slice: Duration = idle) -> Action? {
        guard let first = waiting.first else { return nil }
        guard !isQueueFull else {
            isQueueFull = false
            return .poll(slice)
        }
        return .produce(first)
    }
}
