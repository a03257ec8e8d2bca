public import Events

/// The first half of counting: finds what events match and remembers it until the next commit.
///
/// Collecting and settling are two values, so that a consumer can read on one thread while the other half works out and
/// writes what came before. An interval's events go from here to a ``FunnelSettler`` in one piece.
public struct FunnelCollector {
    private let matcher: FunnelMatcher
    private var installs = InstallTable()
    private var pending: PendingEvents
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

    /// The matching events that wait.
    public var pendingCount: Int { pending.arrivals.count }

    /// The bytes of memory that the waiting events take, roughly.
    public var pendingByteCount: Int { pending.byteCount }

    /// Takes in one valid event that is not late. One that matches no funnel leaves no trace.
    ///
    /// - Parameter partition: where it was read; its repeats are counted there.
    public mutating func insert(_ event: EventFields, partition: Int32) {
        let isMatch = matcher.match(event, masks: &masks, values: &values) { pending.internString($0) }
        guard isMatch else { return }
        let signature = pending.internSignature(masks: masks, values: values)
        let place = installs.place(of: event.installID)
        let previous = installs.entries[place].latestArrival
        installs.entries[place].latestArrival = pending.append(
            event,
            signature: signature,
            partition: partition,
            previous: previous
        )
    }

    /// Hands over what was inserted since the last time, and begins the next interval.
    public mutating func takeInterval() -> EventInterval {
        defer {
            pending = PendingEvents(funnelCount: funnels.count)
            installs = InstallTable(capacity: installs.entries.count)
        }
        return EventInterval(pending: pending, installs: installs)
    }
}

/// The matching events between two commits, on their way from a ``FunnelCollector`` to its ``FunnelSettler``.
public struct EventInterval: Sendable {
    let pending: PendingEvents
    /// The installs that have events in the interval, with their latest arrivals.
    let installs: InstallTable
}
