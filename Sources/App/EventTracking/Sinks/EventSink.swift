public import FlowEvents

/// The destination of encoded events: a collector, Kafka, a file, or a test.
///
/// ```swift
/// let sink = EventSink(send: { batch in
///     await upload(batch) ? batch.map { _ in .delivered } : batch.map { _ in .retry(offline) }
/// })
/// ```
///
/// Several trackers may share a sink. A ``Tracker`` does not shut its sink down; the code that created the sink calls
/// ``shutdown``.
///
/// Sending a batch has two steps. ``submit`` takes the batch and returns when the sink can take the next one; a full sink
/// makes its caller wait there. The ``EventReceipt`` later returns the outcome of each event. So several batches can be in
/// flight, in the order of the calls.
public struct EventSink: Sendable {
    /// The maximum number of batches in flight for one tracker; at least 1.
    ///
    /// Use more than one only if the sink keeps the order of the batches, as Kafka's idempotent producer does for each
    /// partition. Later batches may overtake an event with the outcome ``EventOutcome/retry(_:after:)``.
    public var maximumBatchesInFlight: Int

    /// Takes a batch, after all batches of earlier calls.
    ///
    /// A tracker waits for a call to return before the next one. It never calls on the main actor, and never with an empty
    /// batch.
    public var submit: @Sendable (_ batch: [EncodedEvent]) async -> EventReceipt

    /// Asks the sink to send the submitted batches now. It need not wait for their outcomes.
    public var flush: @Sendable () async -> Void

    /// Settles the submitted batches if possible, and releases the resources of the sink. Submit nothing afterward.
    public var shutdown: @Sendable () async -> Void

    /// Asks the receiver for its time; ``SinkClock/none`` for sinks without a clock.
    ///
    /// A queue on the device asks before it sends a batch, until it has an answer. Then it does not ask again in this run. A
    /// sink around others passes their clock on: without one, the queue corrects no times.
    public var clock: @Sendable () async -> SinkClock

    /// Creates a sink that can have several batches in flight.
    public init(
        maximumBatchesInFlight: Int,
        submit: @escaping @Sendable (_ batch: [EncodedEvent]) async -> EventReceipt,
        flush: @escaping @Sendable () async -> Void = {},
        shutdown: @escaping @Sendable () async -> Void = {},
        clock: @escaping @Sendable () async -> SinkClock = { .none }
    ) {
        self.maximumBatchesInFlight = max(1, maximumBatchesInFlight)
        self.submit = submit
        self.flush = flush
        self.shutdown = shutdown
        self.clock = clock
    }

    /// Creates a sink that settles each batch before it takes the next one.
    ///
    /// - Parameters:
    ///   - send: sends a batch and returns one outcome for each of its events, in order.
    ///   - flush: sends what the sink holds back; see ``flush``.
    ///   - shutdown: ends the sink; see ``shutdown``.
    ///   - clock: returns the clock of the sink's server; see ``clock``.
    public init(
        send: @escaping @Sendable (_ batch: [EncodedEvent]) async -> [EventOutcome],
        flush: @escaping @Sendable () async -> Void = {},
        shutdown: @escaping @Sendable () async -> Void = {},
        clock: @escaping @Sendable () async -> SinkClock = { .none }
    ) {
        self.init(
            maximumBatchesInFlight: 1,
            submit: { batch in
                let outcomes = await send(batch)
                return EventReceipt { outcomes }
            },
            flush: flush,
            shutdown: shutdown,
            clock: clock
        )
    }
}

/// Returns the outcomes of a submitted batch.
public struct EventReceipt: Sendable {
    /// Returns one outcome for each event of the batch, in order, when all are settled. It is called once.
    ///
    /// An event without an outcome counts as rejected, with the code `no_outcome`; sending it again forever would block
    /// all later events.
    public var outcomes: @Sendable () async -> [EventOutcome]

    /// Creates a receipt.
    public init(outcomes: @escaping @Sendable () async -> [EventOutcome]) {
        self.outcomes = outcomes
    }
}

/// The time of the receiver behind an ``EventSink``.
public enum SinkClock: Sendable, Hashable {
    /// The sink has no clock, such as a file.
    case none
    /// The receiver's time, read between the request and the response.
    case reading(Timestamp)
    /// The receiver cannot be asked now. Send no events before it answers; the refusal says when to ask again.
    case unavailable(SinkRefusal)
}

/// Why a sink takes no events now. It says nothing about the events, which are kept.
public enum SinkRefusal: Sendable, Hashable {
    /// See ``EventOutcome/retry(_:after:)``.
    case retry(SinkFailure, after: Duration? = nil)
    /// See ``EventOutcome/pause(_:)``.
    case pause(SinkFailure)
}

extension EventOutcome {
    /// The outcome of an event that a sink did not take for this reason.
    package init(_ refusal: SinkRefusal) {
        switch refusal {
        case .retry(let failure, let after): self = .retry(failure, after: after)
        case .pause(let failure): self = .pause(failure)
        }
    }
}

extension EventSink {
    /// Accepts every event and discards it, for previews and for users who do not want to be counted.
    public static let discarding = EventSink(send: { batch in batch.map { _ in .delivered } })
}
