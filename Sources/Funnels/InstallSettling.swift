import Events

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
    /// The events of evidence that were gone through.
    private(set) var visitedEvidence = 0

    init(funnelCount: Int) {
        scratch = InstallState(funnelCount: funnelCount)
    }

    /// Adds an install's arrivals to its evidence.
    ///
    /// - Returns: the state as it is to be written; `nil` where the arrivals change nothing.
    mutating func settle(
        _ row: StoredInstall,
        _ pending: PendingEvents,
        latest: Int32,
        _ rules: InstallRules,
        horizon: Timestamp?,
        _ settlement: inout Settlement,
        _ changes: inout SummaryChanges
    ) throws(DamagedState) -> [UInt8]? {
        try decode(row)
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

    private mutating func decode(_ row: StoredInstall) throws(DamagedState) {
        do {
            try row.state.withUnsafeBytes { try scratch.decode($0) }
        } catch {
            throw DamagedState(install: String(decoding: row.install, as: UTF8.self))
        }
        visitedEvidence += scratch.evidence.count
    }
}
