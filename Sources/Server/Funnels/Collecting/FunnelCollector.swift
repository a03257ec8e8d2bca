public import FlowEvents

/// The first half of counting: finds what events match and remembers it until the next commit.
///
/// Collecting and settling are two values, so that a consumer can read on one thread while the other half works out and
/// writes what came before. An interval's events go from here to a ``FunnelSettler`` in one piece.
public struct FunnelCollector {
    private let matcher: FunnelMatcher
    private var installs = InstallTable()
    private var pending: PendingEvents
    private var sequences = PendingSequences()
    private var masks: [UInt32]
    private var values: [Int32]

    /// Creates a collector.
    public init(funnels: [Funnel]) {
        matcher = FunnelMatcher(funnels: funnels)
        pending = PendingEvents(funnelCount: funnels.count)
        masks = Array(repeating: 0, count: funnels.count)
        values = Array(repeating: 0, count: funnels.count)
    }

    /// The funnels that are counted.
    public var funnels: [Funnel] { matcher.funnels }

    /// The fields that the funnels look at: `EventFields.values` must hold theirs, in this order.
    public var fields: [Field] { matcher.fields }

    /// Whether nothing waits.
    public var isEmpty: Bool { installs.entries.isEmpty }

    /// The matching events that wait.
    public var pendingCount: Int { pending.arrivals.count }

    /// The bytes of memory that the waiting events take, roughly.
    public var pendingByteCount: Int { pending.byteCount + sequences.byteCount }

    /// Takes in one valid event. One that matches no funnel leaves its number, and without one no trace.
    ///
    /// - Parameters:
    ///   - partition: where it was read; what it adds to the quality counts is counted there.
    ///   - isLate: whether it is late, and so of no funnel. Its number has arrived all the same.
    ///   - notice: what it tells of drops, where it does.
    public mutating func insert(
        _ event: EventFields,
        partition: Int32,
        isLate: Bool = false,
        notice: DropNotice? = nil
    ) {
        let isMatch = !isLate && matcher.match(event, masks: &masks, values: &values) { pending.internString($0) }
        guard isMatch || event.sequence != nil else { return }
        let place = installs.place(of: event.installID)
        if let sequence = event.sequence {
            let latest = installs.entries[place].latestRun
            installs.entries[place].latestRun = sequences.insert(sequence, partition: partition, latest: latest)
            if let notice { sequences.insert(notice, by: sequence, place: place) }
        }
        guard isMatch else { return }
        let signature = pending.internSignature(masks: masks, values: values)
        installs.entries[place].latestArrival = pending.append(
            event,
            signature: signature,
            partition: partition,
            previous: installs.entries[place].latestArrival
        )
    }

    /// Hands over what was inserted since the last time, and begins the next interval.
    public mutating func takeInterval() -> EventInterval {
        defer {
            pending = PendingEvents(funnelCount: funnels.count)
            sequences = PendingSequences()
            installs = InstallTable(capacity: installs.entries.count)
        }
        return EventInterval(pending: pending, sequences: sequences, installs: installs)
    }
}

/// The matching events between two commits, and the numbers of all of them, on their way from a ``FunnelCollector`` to
/// its ``FunnelSettler``.
public struct EventInterval: Sendable {
    let pending: PendingEvents
    let sequences: PendingSequences
    /// The installs that have events in the interval, with their latest arrivals and runs of numbers.
    let installs: InstallTable
}
