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

    /// How long a producer that has nothing to do sleeps; new work wakes it.
    static var idle: Duration { .milliseconds(100) }

    init() {}

    /// Takes a batch, or refuses it because the producer is closing.
    mutating func submit(_ batch: Batch) -> Bool {
        guard case .open = state else { return false }
        waiting.append(batch)
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

    /// Closes the producer. A second call can only bring the deadline forward.
    mutating func close(by deadline: ContinuousClock.Instant) {
        switch state {
        case .open: state = .closing(deadline: deadline)
        case .closing(let earlier): state = .closing(deadline: min(earlier, deadline))
        case .givenUp: break
        }
    }

    /// What to do now, where `outstanding` records are with librdkafka.
    mutating func next(outstanding: Int, now: ContinuousClock.Instant) -> Action {
        switch state {
        case .open:
            return produceOrWait() ?? .poll(Self.idle)
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

    private mutating func produceOrWait(_ slice: Duration = idle) -> Action? {
        guard let first = waiting.first else { return nil }
        guard !isQueueFull else {
            isQueueFull = false
            return .poll(slice)
        }
        return .produce(first)
    }
}
