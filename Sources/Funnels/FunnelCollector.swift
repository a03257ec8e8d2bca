public import Events

/// The first half of counting: finds what events match and remembers it until the next commit.
///
/// Collecting and settling are two values, so that a consumer can read on one thread while the other half works out and
/// writes what came before. An interval's events go from here to a ``FunnelSettler`` in one piece.
public struct FunnelCollector {
    private let matcher: FunnelMatcher
    private var installs = InstallTable()
    private var pending: PendingEvents
    private var sequences = PendingSequences()
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

    /// Whether nothing waits.
    public var isEmpty: Bool { touched.isEmpty }

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
        if !installs.entries[place].isTouched { touched.append(place) }
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
        let touched = self.touched.map { place in
            let entry = installs.entries[place]
            return EventInterval.Touched(place: place, latestArrival: entry.latestArrival, latestRun: entry.latestRun)
        }
        for place in self.touched {
            installs.entries[place].latestArrival = -1
            installs.entries[place].latestRun = -1
        }
        self.touched.removeAll(keepingCapacity: true)
        let newInstalls = installs.entries[handedOver...].map(\.install)
        handedOver = installs.entries.count
        defer {
            pending = PendingEvents(funnelCount: funnels.count)
            sequences = PendingSequences()
        }
        return EventInterval(pending: pending, sequences: sequences, touched: touched, newInstalls: newInstalls)
    }
}

/// The matching events between two commits, and the numbers of all of them, on their way from a ``FunnelCollector`` to its ``FunnelSettler``.
public struct EventInterval: Sendable {
    /// An install that has events in the interval.
    struct Touched {
        var place: Int
        /// The place of its latest matching arrival; negative where it has none.
        var latestArrival: Int32
        /// The place of its latest run of numbers; negative where it has none.
        var latestRun: Int32
    }

    let pending: PendingEvents
    let sequences: PendingSequences
    let touched: [Touched]
    /// The installs that had no place before, in the order of their places.
    let newInstalls: [[UInt8]]
}
