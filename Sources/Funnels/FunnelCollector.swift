public import Events

/// The first half of counting: finds what events match and remembers it until the next commit.
///
/// Collecting and settling are two values, so that a consumer can read on one thread while the other half works out and
/// writes what came before. An interval's events go from here to a ``FunnelSettler`` in one piece.
public struct FunnelCollector {
    private let matcher: FunnelMatcher
    private var installs = InstallTable()
    private var pending: PendingEvents
    // The places of the installs that have pending events.
    private var touched: [Int] = []
    // How many of the installs the settler knows.
    private var handedOver = 0
    private var masks: [UInt32]
    private var values: [Int32]

    /// Creates a collector that knows no install yet.
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
        if previous < 0 { touched.append(place) }
        installs.entries[place].latestArrival = pending.append(
            event,
            signature: signature,
            partition: partition,
            previous: previous
        )
    }

    /// Hands over what was inserted since the last time, and begins the next interval.
    public mutating func takeInterval() -> EventInterval {
        let touched = self.touched.map { place in
            EventInterval.Touched(place: place, latestArrival: installs.entries[place].latestArrival)
        }
        for place in self.touched { installs.entries[place].latestArrival = -1 }
        self.touched.removeAll(keepingCapacity: true)
        let newInstalls = installs.entries[handedOver...].map(\.install)
        handedOver = installs.entries.count
        defer { pending = PendingEvents(funnelCount: funnels.count) }
        return EventInterval(pending: pending, touched: touched, newInstalls: newInstalls)
    }
}

/// The matching events between two commits, on their way from a ``FunnelCollector`` to its ``FunnelSettler``.
public struct EventInterval: Sendable {
    /// An install that has events in the interval.
    struct Touched {
        var place: Int
        /// The place of its latest arrival.
        var latestArrival: Int32
    }

    let pending: PendingEvents
    let touched: [Touched]
    /// The installs that had no place before, in the order of their places.
    let newInstalls: [[UInt8]]
}
