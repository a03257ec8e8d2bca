public import Events

/// Counts funnels exactly, for any order of arrival and any repetition: `semantics.md` as a value.
///
/// State is evidence: of each install its matching events are kept, results are a pure function of them, and a repeat
/// changes nothing. ``insert(_:partition:)`` only remembers; once per commit, ``settle()`` adds what was remembered to
/// the installs' evidence, works their results out again and says what a store has to change.
///
/// ```swift
/// engine.insert(event, partition: 0)
/// engine.load(try store.installs(engine.unloadedInstalls()))
/// let settlement = try engine.settle()
/// ```
///
/// A settlement stays open until ``confirm()`` or ``resolve(_:)``; events of the next interval may be inserted
/// meanwhile, so that a store can write on another thread. The engine has no I/O, clock or thread; it belongs to one
/// thread at a time.
public struct FunnelEngine {
    private let matcher: FunnelMatcher
    private var installs = InstallTable()
    private var pending: PendingEvents
    // The places of the installs that have pending events.
    private var touched: [Int32] = []
    private var open: OpenSettlement?
    private var scratch: InstallState
    private var masks: [UInt32]
    private var values: [Int32]

    /// A settlement that is not yet known to be committed, and how things were before it.
    private struct OpenSettlement {
        var pending: PendingEvents
        var installs: [Before]

        struct Before {
            var place: Int
            var latestArrival: Int32
            var version: Int64
            var state: [UInt8]
        }
    }

    /// Creates an engine that knows no install yet.
    public init(funnels: [Funnel]) {
        matcher = FunnelMatcher(funnels: funnels)
        pending = PendingEvents(funnelCount: funnels.count)
        scratch = InstallState(funnelCount: funnels.count)
        masks = Array(repeating: 0, count: funnels.count)
        values = Array(repeating: 0, count: funnels.count)
    }

    /// The funnels that are counted.
    public var funnels: [Funnel] { matcher.funnels }

    /// The fields that the funnels look at: ``EventFields/values`` must hold theirs, in this order.
    public var fields: [Field] { matcher.fields }

    /// The matching events that wait for the next ``settle()``.
    public var pendingCount: Int { pending.arrivals.count }

    /// The bytes of memory that the waiting events take, roughly.
    public var pendingByteCount: Int { pending.byteCount }

    /// The installs that are at hand.
    public var installCount: Int { installs.entries.count }

    /// Takes in one valid event that is not late. One that matches no funnel leaves no trace.
    ///
    /// - Parameter partition: where it was read; its repeats are counted there.
    public mutating func insert(_ event: EventFields, partition: Int32) {
        let isMatch = matcher.match(event, masks: &masks, values: &values) { pending.internString($0) }
        guard isMatch else { return }
        let signature = pending.internSignature(masks: masks, values: values)
        let place = installs.place(of: event.installID)
        let previous = installs.entries[place].latestArrival
        if previous < 0 { touched.append(Int32(place)) }
        installs.entries[place].latestArrival = pending.append(
            event,
            signature: signature,
            partition: partition,
            previous: previous
        )
    }

    /// The installs whose rows ``settle()`` needs and the engine does not have.
    public func unloadedInstalls() -> [[UInt8]] {
        touched.lazy.map { installs.entries[Int($0)] }.filter { !$0.isLoaded }.map(\.install)
    }

    /// Takes over the rows of ``unloadedInstalls()``; those of them that have no row are new.
    public mutating func load(_ rows: [StoredInstall]) {
        for row in rows { put(row) }
        for place in touched { installs.entries[Int(place)].isLoaded = true }
    }

    /// Adds what was inserted to the installs' evidence and works out what that changes.
    ///
    /// Every install touched must have been loaded, and no settlement may be open.
    ///
    /// - Throws: ``DamagedState`` where a row cannot be read; the engine must not be used any further.
    public mutating func settle() throws(DamagedState) -> Settlement {
        precondition(open == nil, "a settlement is open: confirm or resolve it first")
        let before = touched.map { place in
            let entry = installs.entries[Int(place)]
            return OpenSettlement.Before(
                place: Int(place),
                latestArrival: entry.latestArrival,
                version: entry.version,
                state: entry.state
            )
        }
        for place in touched { installs.entries[Int(place)].latestArrival = -1 }
        touched.removeAll(keepingCapacity: true)
        let settled = OpenSettlement(pending: pending, installs: before)
        open = settled
        pending = PendingEvents(funnelCount: funnels.count)
        return try settle(settled)
    }

    /// The open settlement is in the store.
    public mutating func confirm() {
        open = nil
    }

    /// The store did not take over the open settlement, because these rows have changed since: works it out again.
    ///
    /// - Throws: ``DamagedState``, as ``settle()``.
    public mutating func resolve(_ conflicts: [StoredInstall]) throws(DamagedState) -> Settlement {
        guard var settled = open else { preconditionFailure("no settlement is open") }
        for before in settled.installs {
            installs.entries[before.place].version = before.version
            installs.entries[before.place].state = before.state
        }
        for row in conflicts { put(row) }
        for index in settled.installs.indices {
            let entry = installs.entries[settled.installs[index].place]
            settled.installs[index].version = entry.version
            settled.installs[index].state = entry.state
        }
        open = settled
        return try settle(settled)
    }

    private mutating func put(_ row: StoredInstall) {
        let place = row.install.withUnsafeBytes { installs.place(of: $0) }
        installs.entries[place].version = row.version
        installs.entries[place].state = row.state
        installs.entries[place].isLoaded = true
    }

    private mutating func settle(_ settled: OpenSettlement) throws(DamagedState) -> Settlement {
        var settlement = Settlement(installs: [], summary: [], duplicates: [:])
        settlement.installs.reserveCapacity(settled.installs.count)
        var changes = SummaryChanges()
        for before in settled.installs {
            do {
                try before.state.withUnsafeBytes { try scratch.decode($0) }
            } catch {
                throw DamagedState(install: String(decoding: installs.entries[before.place].install, as: UTF8.self))
            }
            let arrivals = scratch.translate(settled.pending, latest: before.latestArrival)
            let earliest = scratch.add(arrivals.map(\.evidence)) { position in
                settlement.duplicates[arrivals[position].partition, default: 0] += 1
            }
            guard let earliest else { continue }
            let old = scratch.results
            scratch.updateResults(funnels, since: earliest)
            changes.replace(old, by: scratch.results, strings: scratch.strings.strings)
            let state = scratch.encoded()
            settlement.installs.append(
                InstallWrite(
                    install: installs.entries[before.place].install,
                    expectedVersion: before.version,
                    state: state
                )
            )
            installs.entries[before.place].version = before.version + 1
            installs.entries[before.place].state = state
        }
        settlement.summary = changes.deltas()
        return settlement
    }
}
