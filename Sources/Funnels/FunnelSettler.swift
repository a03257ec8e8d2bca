/// The second half of counting: unites an interval's events with what is known of their installs, and says what a store
/// has to change.
///
/// State is evidence: of each install its matching events are kept, results are a pure function of them, and a repeat
/// changes nothing. A settlement is open from ``settle()`` to ``confirm()``; where the store refuses it, because
/// another consumer has written some of the rows, ``resolve(_:)`` unites with what stands there and works it out again.
///
/// ```swift
/// settler.begin(collector.takeInterval())
/// settler.load(try store.installs(settler.unloadedInstalls()))
/// let settlement = try settler.settle()
/// ```
///
/// It has no I/O, clock or thread; it belongs to one thread at a time and gets the intervals of one collector, each once
/// and in order.
public struct FunnelSettler {
    private let funnels: [Funnel]
    // By the collector's places.
    private var installs: [Install] = []
    private var interval: EventInterval?
    // How the touched installs were before the settlement that is open.
    private var before: [Install] = []
    private var scratch: InstallState

    private struct Install {
        var install: [UInt8]
        /// The version of the row that ``state`` is, or will be when the open settlement is confirmed; 0 for no row.
        var version: Int64 = 0
        /// The encoded state; empty for an install without a row.
        var state: [UInt8] = []
        var isLoaded = false
    }

    /// Creates a settler that knows no install yet.
    public init(funnels: [Funnel]) {
        self.funnels = funnels
        scratch = InstallState(funnelCount: funnels.count)
    }

    /// The installs that are at hand.
    public var installCount: Int { installs.count }

    /// Takes over an interval; none may be open.
    public mutating func begin(_ interval: EventInterval) {
        precondition(self.interval == nil, "an interval is open: confirm it first")
        installs += interval.newInstalls.map { Install(install: $0) }
        self.interval = interval
    }

    /// The installs whose rows ``settle()`` needs and the settler does not have.
    public func unloadedInstalls() -> [[UInt8]] {
        touched.lazy.map { installs[$0.place] }.filter { !$0.isLoaded }.map(\.install)
    }

    /// Takes over the rows of ``unloadedInstalls()``; those of them that have no row are new.
    public mutating func load(_ rows: [StoredInstall]) {
        let rows = Dictionary(rows.map { ($0.install, $0) }) { _, last in last }
        for touched in touched where !installs[touched.place].isLoaded {
            if let row = rows[installs[touched.place].install] { put(row, at: touched.place) }
            installs[touched.place].isLoaded = true
        }
    }

    /// Adds the interval's events to their installs' evidence and works out what that changes.
    ///
    /// Every install touched must have been loaded.
    ///
    /// - Throws: ``DamagedState`` where a row cannot be read; the settler must not be used any further.
    public mutating func settle() throws(DamagedState) -> Settlement {
        before = touched.map { installs[$0.place] }
        return try settleOpenInterval()
    }

    /// The open settlement is in the store.
    public mutating func confirm() {
        interval = nil
        before = []
    }

    /// The store did not take over the open settlement, because these rows have changed since: works it out again.
    ///
    /// - Parameter conflicts: the rows as they stand; version 0 where there is none any more.
    /// - Throws: ``DamagedState``, as ``settle()``.
    public mutating func resolve(_ conflicts: [StoredInstall]) throws(DamagedState) -> Settlement {
        let rows = Dictionary(conflicts.map { ($0.install, $0) }) { _, last in last }
        for (index, touched) in touched.enumerated() {
            installs[touched.place] = before[index]
            guard let row = rows[before[index].install] else { continue }
            put(row, at: touched.place)
            before[index] = installs[touched.place]
        }
        return try settleOpenInterval()
    }

    private var touched: [EventInterval.Touched] { interval?.touched ?? [] }

    private mutating func put(_ row: StoredInstall, at place: Int) {
        installs[place].version = row.version
        installs[place].state = row.state
    }

    private mutating func settleOpenInterval() throws(DamagedState) -> Settlement {
        var settlement = Settlement(installs: [], summary: [], duplicates: [:])
        guard let interval else { return settlement }
        settlement.installs.reserveCapacity(interval.touched.count)
        var changes = SummaryChanges()
        for touched in interval.touched {
            let install = installs[touched.place]
            do {
                try install.state.withUnsafeBytes { try scratch.decode($0) }
            } catch {
                throw DamagedState(install: String(decoding: install.install, as: UTF8.self))
            }
            let arrivals = scratch.translate(interval.pending, latest: touched.latestArrival)
            let earliest = scratch.add(arrivals.map(\.evidence)) { position in
                settlement.duplicates[arrivals[position].partition, default: 0] += 1
            }
            guard let earliest else { continue }
            let old = scratch.results
            scratch.updateResults(funnels, since: earliest)
            changes.replace(old, by: scratch.results, strings: scratch.strings.strings)
            let state = scratch.encoded()
            settlement.installs.append(
                InstallWrite(install: install.install, expectedVersion: install.version, state: state)
            )
            installs[touched.place].version = install.version + 1
            installs[touched.place].state = state
        }
        settlement.summary = changes.deltas()
        return settlement
    }
}
