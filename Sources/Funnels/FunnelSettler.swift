/// The second half of counting: unites an interval's events with what is known of their installs, and says what a store
/// has to change.
///
/// State is evidence: of each install its matching events are kept and the numbers of all, results are a pure function of
/// them, and a repeat changes nothing. A settlement is open from ``settle()`` to ``confirm()``; where the store refuses it, because
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
    private var runs: [SequenceRuns.Run] = []

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
        var settlement = Settlement(installs: [], summary: [], duplicates: [:], completeness: [:])
        guard let interval else { return settlement }
        settlement.installs.reserveCapacity(interval.touched.count)
        var changes = SummaryChanges()
        for touched in interval.touched {
            let install = installs[touched.place]
            let rest = try decode(install, withMatches: touched.latestArrival >= 0)
            let hasNewNumbers = addSequences(of: touched, in: interval, to: &settlement)
            let earliest = addMatches(of: touched, in: interval, to: &settlement)
            guard hasNewNumbers || earliest != nil else { continue }
            let state: [UInt8]
            if let earliest {
                let old = scratch.results
                scratch.updateResults(funnels, since: earliest)
                changes.replace(old, by: scratch.results, strings: scratch.strings.strings)
                state = scratch.encoded()
            } else {
                state = scratch.encodedSequences(before: rest, of: install.state)
            }
            settlement.installs.append(
                InstallWrite(install: install.install, expectedVersion: install.version, state: state)
            )
            installs[touched.place].version = install.version + 1
            installs[touched.place].state = state
        }
        settlement.summary = changes.deltas()
        return settlement
    }

    /// Reads a row, and of one that gets no matching events only as much as is needed.
    ///
    /// - Returns: where what was not needed begins.
    private mutating func decode(_ install: Install, withMatches: Bool) throws(DamagedState) -> Int {
        do {
            return try install.state.withUnsafeBytes { bytes in
                let rest = try scratch.decodeSequences(bytes)
                if withMatches { try scratch.decodeMatches(bytes, from: rest) }
                return rest
            }
        } catch {
            throw DamagedState(install: String(decoding: install.install, as: UTF8.self))
        }
    }

    /// - Returns: whether there was a new one among them.
    private mutating func addSequences(
        of touched: EventInterval.Touched,
        in interval: EventInterval,
        to settlement: inout Settlement
    ) -> Bool {
        guard touched.latestRun >= 0 else { return false }
        let sequences = interval.sequences
        sequences.collect(latest: touched.latestRun, into: &runs)
        let before = scratch.sequences.completeness
        let notices = sequences.notices.isEmpty ? [] : sequences.notices[touched.place] ?? []
        guard scratch.sequences.add(&runs, notices) else { return false }
        let partition = sequences.runs[Int(touched.latestRun)].partition
        settlement.completeness[partition, default: Completeness()] += scratch.sequences.completeness - before
        return true
    }

    /// - Returns: the time of the earliest event that was new; `nil` where none was.
    private mutating func addMatches(
        of touched: EventInterval.Touched,
        in interval: EventInterval,
        to settlement: inout Settlement
    ) -> Int64? {
        guard touched.latestArrival >= 0 else { return nil }
        let arrivals = scratch.translate(interval.pending, latest: touched.latestArrival)
        return scratch.add(arrivals.map(\.evidence)) { position in
            settlement.duplicates[arrivals[position].partition, default: 0] += 1
        }
    }
}
