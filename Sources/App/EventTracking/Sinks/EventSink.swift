public import FlowEvents

/// Where encoded events go: a witness, so that Kafka, a file, an HTTP edge and a test are values of one type.
///
/// A sink is shared freely. Whoever made it ends it with ``shutdown``; a ``Tracker`` never does, since thousands of
/// trackers may share one.
///
/// A batch is handed over in two steps. ``submit`` takes it and returns as soon as the sink can take the next one, which
/// is where a full sink holds its caller back. The ``EventReceipt`` it returns tells later what became of each event.
/// So many batches can be on their way while their order stays that of the calls.
public struct EventSink: Sendable {
    /// How many batches of one tracker may be submitted and not yet settled; at least 1.
    ///
    /// More than one is for a sink that itself keeps the order of what it was given, as Kafka's idempotent producer does
    /// for each partition. An event that such a sink answers with ``EventOutcome/retry(_:after:)`` may be overtaken by
    /// the batches behind it.
    public var maximumBatchesInFlight: Int

    /// Takes a batch, in its order, after all batches of earlier calls.
    ///
    /// A tracker calls it again only when the last call has returned. It is never called on the main actor, and never
    /// with an empty batch.
    public var submit: @Sendable (_ batch: [EncodedEvent]) async -> EventReceipt

    /// Asks for no more lingering: what was submitted is to be settled now. It need not wait for that.
    public var flush: @Sendable () async -> Void

    /// Settles what was submitted as far as possible and gives back what the sink holds. Nothing may be submitted after.
    public var shutdown: @Sendable () async -> Void

    /// Asks the other side for its clock; ``SinkClock/none`` unless a sink knows better.
    ///
    /// A queue on the device asks once in each run, before it sends the run's first event.
    public var clock: @Sendable () async -> SinkClock

    /// Creates a sink that can have several batches on their way.
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

    /// Creates a sink that settles one batch before it takes the next.
    ///
    /// - Parameter send: sends a batch and returns one outcome for each of its events, in their order.
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

/// A sink's promise to tell what became of a batch.
public struct EventReceipt: Sendable {
    /// Returns when the whole batch is settled, with one outcome for each of its events, in their order. Asked once.
    ///
    /// An event without an outcome counts as rejected with the code `no_outcome`, since sending it forever would hold
    /// back all that came after it.
    public var outcomes: @Sendable () async -> [EventOutcome]

    /// Creates a receipt.
    public init(outcomes: @escaping @Sendable () async -> [EventOutcome]) {
        self.outcomes = outcomes
    }
}

/// What an ``EventSink`` knows of the other side's clock.
public enum SinkClock: Sendable, Hashable {
    /// The sink has no clock to ask: a file, a test.
    case none
    /// What the other side's clock showed while the question was on its way.
    case reading(Timestamp)
    /// The other side cannot be asked now. Nothing should be sent before it can; the outcome says when to try again.
    case unavailable(EventOutcome)
}

extension EventSink {
    /// Takes every event and keeps none: for previews, and for apps whose user does not want to be counted.
    public static let discarding = EventSink(send: { batch in batch.map { _ in .delivered } })
}
