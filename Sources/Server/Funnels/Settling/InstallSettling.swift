import FlowEvents

/// What of the funnels and bounds one install is settled by.
struct InstallRules {
    let funnels: [Funnel]
    let windows: [Int64]
    let evidenceLimit: Int
    let spanDays: Int

    init(funnels: [Funnel], bounds: FunnelBounds) {
        self.funnels = funnels
        windows = funnels.map(\.window)
        evidenceLimit = bounds.evidenceLimit
        spanDays = bounds.evidenceDays(of: funnels)
    }
}

/// Settles one install after another, with one piece of memory for all of them.
struct InstallSettling {
    private var scratch: InstallState
    private var runs: [SequenceRuns.Run] = []
    /// The events of evidence that were gone through.
    private(set) var visitedEvidence = 0

    init(funnelCount: Int) {
        scratch = InstallState(funnelCount: funnelCount)
    }

    /// Adds what an interval has of an install to its numbers and its evidence.
    ///
    /// - Parameter place: the install's among the interval's.
    /// - Returns: the state as it is to be written; `nil` where nothing has changed.
    mutating func settle(
        _ row: StoredInstall,
        _ interval: EventInterval,
        place: Int,
        _ rules: InstallRules,
        horizon: Timestamp?,
        _ settlement: inout Settlement,
        _ changes: inout SummaryChanges
    ) throws(DamagedState) -> [UInt8]? {
        let entry = interval.installs.entries[place]
        let rest = try decode(row, withMatches: entry.latestArrival >= 0)
        let hasNewNumbers = addSequences(interval.sequences, latest: entry.latestRun, place: place, &settlement)
        if entry.latestArrival >= 0 {
            let latest = entry.latestArrival
            let state = addMatches(interval.pending, latest: latest, rules, horizon: horizon, &settlement, &changes)
            if let state { return state }
        }
        return hasNewNumbers ? scratch.encodedSequences(before: rest, of: row.state) : nil
    }

    /// - Returns: whether there was a new one among them.
    private mutating func addSequences(
        _ sequences: PendingSequences,
        latest: Int32,
        place: Int,
        _ settlement: inout Settlement
    ) -> Bool {
        guard latest >= 0 else { return false }
        sequences.collect(latest: latest, into: &runs)
        let before = scratch.sequences.completeness
        let notices = sequences.notices.isEmpty ? [] : sequences.notices[place] ?? []
        guard scratch.sequences.add(&runs, notices) else { return false }
        let partition = sequences.runs[Int(latest)].partition
        settlement.completeness[partition, default: Completeness()] += scratch.sequences.completeness - before
        return true
    }

    /// - Returns: the state as it is to be written; `nil` where the arrivals change nothing.
    private mutating func addMatches(
        _ pending: PendingEvents,
        latest: Int32,
        _ rules: InstallRules,
        horizon: Timestamp?,
        _ settlement: inout Settlement,
        _ changes: inout SummaryChanges
    ) -> [UInt8]? {
        // However many events a capped install has, nothing is done for them.
        if scratch.isCapped { return nil }
        var arrivals = scratch.translate(pending, latest: latest)
        if let earliest = scratch.past.horizon {
            for arrival in arrivals where arrival.evidence.time < earliest {
                settlement.late[arrival.partition, default: 0] += 1
            }
            arrivals.removeAll { $0.evidence.time < earliest }
        }
        let earliest = scratch.add(arrivals.map(\.evidence)) { position in
            settlement.duplicates[arrivals[position].partition, default: 0] += 1
        }
        guard let earliest, let last = arrivals.last else { return nil }
        let old = scratch.results
        if scratch.isAbove(rules.evidenceLimit, spanDays: rules.spanDays) {
            changes.replace(old, by: [], strings: scratch.strings.strings)
            settlement.capped[last.partition, default: 0] += 1
            scratch.cap()
            return scratch.encoded()
        }
        scratch.updateResults(rules.funnels, since: earliest)
        changes.replace(old, by: scratch.results, strings: scratch.strings.strings)
        if let horizon { scratch.prune(rules.windows, horizon: horizon, spanDays: rules.spanDays) }
        return scratch.encoded()
    }

    /// - Returns: the state without what is past; `nil` where that is not worth being written.
    mutating func pruned(_ row: StoredInstall, _ rules: InstallRules, horizon: Timestamp) throws(DamagedState)
        -> [UInt8]?
    {
        try decode(row)
        guard scratch.isWorthPruning(rules.windows, horizon: horizon) else { return nil }
        scratch.prune(rules.windows, horizon: horizon, spanDays: rules.spanDays)
        return scratch.encoded()
    }

    /// - Returns: the state of the install out of all funnels; `nil` where it is that already.
    mutating func capped(_ row: StoredInstall, _ changes: inout SummaryChanges) throws(DamagedState) -> [UInt8]? {
        try decode(row)
        if scratch.isCapped { return nil }
        changes.replace(scratch.results, by: [], strings: scratch.strings.strings)
        scratch.cap()
        return scratch.encoded()
    }

    /// Reads a row, and of one that gets no matching events only as much as is needed.
    ///
    /// - Returns: where what was not needed begins.
    @discardableResult
    private mutating func decode(_ row: StoredInstall, withMatches: Bool = true) throws(DamagedState) -> Int {
        let rest: Int
        do {
            rest = try row.state.withUnsafeBytes { bytes in
                let rest = try scratch.decodeSequences(bytes)
                if withMatches { try scratch.decodeMatches(bytes, from: rest) }
                return rest
            }
        } catch {
            throw DamagedState(install: String(decoding: row.install, as: UTF8.self))
        }
        visitedEvidence += scratch.evidence.count
        return rest
    }
}
