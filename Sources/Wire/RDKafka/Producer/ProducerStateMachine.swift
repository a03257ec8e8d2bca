/// Decides what a producer's thread does next. No clock, no thread, no librdkafka.
///
/// Batches are handed to librdkafka in the order in which they came, one at a time and as far as its queue has room.
/// Nothing is given up before the producer is closed and its deadline has passed.
struct ProducerStateMachine<Batch> {
    enum Action {
        /// Hand over records of the batch, then say how far it went.
        case produce(Batch)
        /// Serve delivery reports, waiting for the first at most this long.
        case poll(Duration)
        /// Push out what is queued without lingering, waiting at most this long.
        case flush(Duration)
        /// The deadline has passed: drop what librdkafka has, and fail these, of which it has none or a part.
        case giveUp([Batch])
        /// Nothing is left: end.
        case finish
    }

    private enum State {
        case open
        case closing(deadline: ContinuousClock.Instant)
        case givenUp
    }

    private var state = State.open
    private var waiting: [Batch] = []
    private var isQueueFull = false
    private var submitted = 0
    private var flushing: Flush?

    private enum Flush {
        /// Wanted for what was submitted, a part of which librdkafka does not have yet.
        case wanted(submitted: Int)
        /// Goes on until so many records have been settled in all. Which ones is not looked at: it only has to end.
        case active(settled: Int)
    }

    /// How long a producer that has nothing to do sleeps; new work wakes it.
    static var idle: Duration { .milliseconds(100) }
    /// How long a flush may go on before new work is looked for: `rd_kafka_flush` can't be woken.
    static var flushSlice: Duration { .milliseconds(10) }

    init() {}

    /// Takes a batch, or refuses it because the producer is closing.
    mutating func submit(_ batch: Batch) -> Bool {
        guard case .open = state else { return false }
        waiting.append(batch)
        submitted += 1
        return true
    }

    /// The whole of the first batch is with librdkafka.
    mutating func handedOver() {
        waiting.removeFirst()
    }

    /// librdkafka has no room; the first batch goes on after the next poll.
    mutating func queueWasFull() {
        isQueueFull = true
    }

    /// Asks for no lingering over what was submitted so far.
    mutating func flush() {
        flushing = .wanted(submitted: submitted)
    }

    /// Closes the producer. A second call can only bring the deadline forward.
    mutating func close(by deadline: ContinuousClock.Instant) {
        switch state {
        case .open: state = .closing(deadline: deadline)
        case .closing(let earlier): state = .closing(deadline: min(earlier, deadline))
        case .givenUp: break
        }
    }

    /// What to do now, where `outstanding` records are with librdkafka and `settled` were.
    mutating func next(outstanding: Int, settled: Int, now: ContinuousClock.Instant) -> Action {
        switch state {
        case .open:
            return produceOrWait() ?? (isFlushing(outstanding, settled) ? .flush(Self.flushSlice) : .poll(Self.idle))
        case .closing(let deadline):
            if waiting.isEmpty && outstanding == 0 {
                return .finish
            }
            guard now < deadline else {
                state = .givenUp
                defer { waiting = [] }
                return .giveUp(waiting)
            }
            let slice = min(Self.idle, deadline - now)
            return waiting.isEmpty ? .flush(slice) : produceOrWait(slice) ?? .flush(slice)
        case .givenUp:
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
