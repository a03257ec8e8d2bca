import FlowEvents

/// The funnels and bounds by which installs are settled.
struct InstallRules {
    let funnels: [Funnel]
    /// The funnels' windows, in milliseconds.
    let windows: [Int64]
    let evidenceLimit: Int
    let spanDays: Int

    init(funnels: [Funnel], bounds: FunnelBounds) {
        self.funnels = funnels
        windows = funnels.map(\.windowMilliseconds)
        evidenceLimit = bounds.evidenceLimit
        spanDays = bounds.evidenceDays(of: funnels)
    }
}

/// Settles one install after another and reuses its memory for each.
struct InstallSettling {
    private var scratch: InstallState
    private var runs: [SequenceRuns.Run] = []
    /// The number of evidence events that were decoded.
    private(set) var visitedEvidence = 0

    init(funnelCount: Int) {
        scratch = InstallState(funnelCount: funnelCount)
    }

    /// Adds the events of an interval to the sequences and the evidence of one install.
    ///
    /// - Parameters:
    ///   - row: the row of the install before the interval.
    ///   - install: the index of the install in the interval.
    ///   - settlement: receives the changes of the quality counts.
    ///   - changes: receives the changes of the summary.
    /// - Returns: the state to write; `nil` where nothing has changed.
    mutating func settle(
        _ row: StoredInstall,
        _ interval: EventInterval,
        install: InstallTable.Index,
        _ rules: InstallRules,
        horizon: Timestamp?,
        _ settlement: inout Settlement,
        _ changes: inout SummaryChanges
    ) throws(DamagedState) -> [UInt8]? {
        let entry = interval.installs[install]
        let rest = try decode(row, withMatches: entry.latestArrival != nil)
        var hasNewNumbers = false
        if let latest = entry.latestRun {
            hasNewNumbers = addSequences(interval.sequences, latest: latest, install: install, &settlement)
        }
        if let latest = entry.latestArrival {
            let state = addMatches(interval.pending, latest: latest, rules, horizon: horizon, &settlement, &changes)
            if let state { return state }
        }
        return hasNewNumbers ? scratch.encodedSequences(before: rest, of: row.state) : nil
    }

    /// - Returns: whether one of the sequence numbers is new.
    private mutating func addSequences(
        _ sequences: PendingSequences,
        latest: PendingSequences.Index,
        install: InstallTable.Index,
        _ settlement: inout Settlement
    ) -> Bool {
        sequences.collect(latest: latest, into: &runs)
        let before = scratch.sequences.completeness
        let notices = sequences.notices.isEmpty ? [] : sequences.notices[install] ?? []
        guard scratch.sequences.add(&runs, notices) else { return false }
        let partition = sequences.runs[latest.offset].partition
        settlement.quality[partition, default: Quality()].completeness += scratch.sequences.completeness - before
        return true
    }

    /// - Returns: the state to write; `nil` where the arrivals change nothing.
    private mutating func addMatches(
        _ pending: PendingEvents,
        latest: PendingEvents.Index,
        _ rules: InstallRules,
        horizon: Timestamp?,
        _ settlement: inout Settlement,
        _ changes: inout SummaryChanges
    ) -> [UInt8]? {
        // The events of a capped install cost nothing, however many they are.
        if scratch.isCapped { return nil }
        var arrivals = scratch.translate(pending, latest: latest)
        if let earliest = scratch.removed.horizon {
            for arrival in arrivals where arrival.evidence.time < earliest {
                settlement.quality[arrival.partition, default: Quality()].late += 1
            }
            arrivals.removeAll { $0.evidence.time < earliest }
        }
        let earliest = scratch.add(arrivals.map(\.evidence)) { position in
            settlement.quality[arrivals[position].partition, default: Quality()].duplicates += 1
        }
        guard let earliest, let last = arrivals.last else { return nil }
        let old = scratch.results
        if scratch.isAbove(rules.evidenceLimit, spanDays: rules.spanDays) {
            changes.replace(old, by: [], strings: scratch.strings)
            settlement.quality[last.partition, default: Quality()].capped += 1
            scratch.cap()
            return scratch.encoded()
        }
        scratch.updateResults(rules.funnels, since: earliest)
        changes.replace(old, by: scratch.results, strings: scratch.strings)
        if let horizon { scratch.prune(rules.windows, horizon: horizon, spanDays: rules.spanDays) }
        return scratch.encoded()
    }

    /// Removes evidence that no later event can make count again.
    ///
    /// - Returns: the smaller state; `nil` where too little can be removed.
    mutating func pruned(_ row: StoredInstall, _ rules: InstallRules, horizon: Timestamp) throws(DamagedState)
        -> [UInt8]?
    {
        try decode(row)
        guard scratch.isWorthPruning(rules.windows, horizon: horizon) else { return nil }
        scratch.prune(rules.windows, horizon: horizon, spanDays: rules.spanDays)
        return scratch.encoded()
    }

    /// Removes the install from all funnels.
    ///
    /// - Returns: the new state; `nil` where the install is capped already.
    mutating func capped(_ row: StoredInstall, _ changes: inout SummaryChanges) throws(DamagedState) -> [UInt8]? {
        try decode(row)
        if scratch.isCapped { return nil }
        changes.replace(scratch.results, by: [], strings: scratch.strings)
        scratch.cap()
        return scratch.encoded()
    }

    /// Reads a row, without its evidence where the interval has no matching events.
    ///
    /// - Returns: the offset of the encoded evidence.
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
