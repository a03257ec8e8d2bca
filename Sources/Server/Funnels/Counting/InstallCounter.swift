import FlowEvents

/// Counts the events of one install after another and reuses its memory for each.
///
/// Where new events change only outcomes of recent events, the install's recent state and the index of its history are
/// enough: the short way. Otherwise all of its history is needed: the long way.
struct InstallCounter {
    private var scratch: InstallState
    private var runs: [SequenceRuns.Run] = []
    private var arrivals: [PendingEvents.Arrival] = []

    init(_ matcher: FunnelMatcher) {
        scratch = InstallState(matcher)
    }

    /// What the events of an interval change in one install.
    enum Change {
        case unchanged
        /// The rows to write, without the install's version.
        case changed(state: [UInt8], history: [HistoryRow])
        /// The row with its history is to be removed.
        case erased
        /// Nothing was done: all of the install's history must be read first.
        case needsHistory
    }

    /// Adds the events of an interval to the sequences and the evidence of one install.
    ///
    /// - Parameters:
    ///   - row: the row of the install before the interval, with the index or with all of its history.
    ///   - install: the index of the install in the interval.
    ///   - counted: receives the changes of the quality counts and of the summary.
    mutating func count(
        _ row: StoredInstall,
        _ interval: EventInterval,
        install: InstallTable.Index,
        _ rules: CountingRules,
        horizon: Timestamp?,
        _ counted: inout CountedInstalls
    ) throws(DamagedState) -> Change {
        if row.isErased { return .unchanged }
        if !interval.erasures.isEmpty, let partition = interval.erasures[install] {
            return try erased(row, partition, &counted)
        }
        do throws(DamagedBytes) {
            let entry = interval.installs[install]
            let rest = try row.state.reading { bytes throws(DamagedBytes) in try scratch.decodeSequences(bytes) }
            var update = InstallUpdate()
            if let latest = entry.latestEvent {
                guard let found = try self.update(row, rest, interval.pending, latest: latest, rules, horizon: horizon)
                else { return .needsHistory }
                update = found
                update.count(into: &counted, of: scratch)
            }
            let hasNewNumbers = addSequences(interval, install: install, &counted)
            if update.hasChanged {
                if update.isCapped { scratch.cap() }
                return .changed(state: scratch.encoded(), history: update.history)
            }
            guard hasNewNumbers else { return .unchanged }
            return .changed(state: scratch.encodedSequences(before: rest, of: row.state), history: [])
        } catch {
            throw DamagedState(row)
        }
    }

    /// - Returns: whether one of the sequence numbers is new.
    private mutating func addSequences(
        _ interval: EventInterval,
        install: InstallTable.Index,
        _ counted: inout CountedInstalls
    ) -> Bool {
        let partition = interval.collectSequences(of: interval.installs[install], into: &runs)
        guard let partition else { return false }
        let before = scratch.sequences.completeness
        let notices = interval.sequences.notices.isEmpty ? [] : interval.sequences.notices[install] ?? []
        guard scratch.sequences.add(&runs, notices) else { return false }
        counted.quality[partition, default: Quality()].completeness += scratch.sequences.completeness - before
        return true
    }

    /// Adds the events to the scratch state, which has the sequences of the row.
    ///
    /// - Returns: `nil` where this needs all of the history.
    private mutating func update(
        _ row: StoredInstall,
        _ rest: Int,
        _ pending: PendingEvents,
        latest: PendingEvents.Index,
        _ rules: CountingRules,
        horizon: Timestamp?
    ) throws(DamagedBytes) -> InstallUpdate? {
        try row.state.reading { bytes throws(DamagedBytes) in try scratch.decodeMatches(bytes, from: rest) }
        // The events of a capped install cost nothing, however many they are.
        if scratch.isCapped { return InstallUpdate() }
        let index = try HistoryIndex(row.history)
        scratch.archivedTime = index?.lastTime ?? .min
        scratch.translate(pending, latest: latest, into: &arrivals)
        if let update = try scratch.add(arrivals, rules, index, horizon: horizon) { return update }
        guard let index, try row.hasAllHistory(index) else { return nil }
        try scratch.decode(row)
        scratch.translate(pending, latest: latest, into: &arrivals)
        // Removing old events changes all blocks, which must be worth it.
        let isWorthPruning = horizon.map { scratch.isWorthPruning(rules, horizon: $0) } ?? false
        let update = try scratch.add(arrivals, rules, nil, horizon: isWorthPruning ? horizon : nil)
        return update?.replacing(row.history)
    }

    /// Removes evidence that no later event can make count again.
    ///
    /// - Returns: ``Change/unchanged`` where too little can be removed.
    mutating func pruned(_ row: StoredInstall, _ rules: CountingRules, horizon: Timestamp) throws(DamagedState)
        -> Change
    {
        do throws(DamagedBytes) {
            try row.state.reading { bytes throws(DamagedBytes) in try scratch.decode(bytes) }
            let index = try HistoryIndex(row.history)
            if let index {
                guard try scratch.mayBeWorthPruning(rules, horizon: horizon, index) else { return .unchanged }
                guard try row.hasAllHistory(index) else { return .needsHistory }
                try scratch.decode(row)
            }
            guard scratch.isWorthPruning(rules, horizon: horizon) else { return .unchanged }
            scratch.prune(rules, horizon: horizon)
            let history = row.history.changes(to: try scratch.archive(rules, nil))
            return .changed(state: scratch.encoded(), history: history)
        } catch {
            throw DamagedState(row)
        }
    }

    /// Removes the install from all funnels.
    ///
    /// - Parameter row: the row with all of its history.
    /// - Returns: ``Change/unchanged`` where the install is capped already.
    mutating func capped(_ row: StoredInstall, _ changes: inout SummaryChanges) throws(DamagedState) -> Change {
        do throws(DamagedBytes) {
            try scratch.decode(row)
        } catch {
            throw DamagedState(row)
        }
        if scratch.isCapped { return .unchanged }
        changes.replace(scratch.results.counting()[...], by: [], of: scratch)
        scratch.cap()
        return .changed(state: scratch.encoded(), history: row.history.changes(to: []))
    }

    /// Takes away all that the install adds to the counts. Its events of the interval are not looked at.
    ///
    /// The numbers of its events go with it: otherwise the counts of missing events would depend on what arrived before the
    /// request.
    private mutating func erased(
        _ row: StoredInstall,
        _ partition: Int32,
        _ counted: inout CountedInstalls
    ) throws(DamagedState) -> Change {
        do throws(DamagedBytes) {
            if let index = try HistoryIndex(row.history), try !row.hasAllHistory(index) { return .needsHistory }
            try scratch.decode(row)
        } catch {
            throw DamagedState(row)
        }
        counted.changes.replace(scratch.results.counting()[...], by: [], of: scratch)
        var quality = Quality(completeness: Completeness() - scratch.sequences.completeness)
        if scratch.isCapped { quality.capped = -1 }
        counted.quality[partition, default: Quality()] += quality
        return .erased
    }
}

extension StoredInstall {
    /// Whether all blocks of the history were read.
    func hasAllHistory(_ index: HistoryIndex) throws(DamagedBytes) -> Bool {
        try index.contents().blocks.indices.allSatisfy { history.row(Int64($0) + 1) != nil }
    }

    /// The row after a write, with as much of its history as the next commit needs.
    func written(state: [UInt8], history changes: [HistoryRow]) -> StoredInstall {
        StoredInstall(install: install, version: version + 1, state: state, history: history.index(after: changes))
    }
}

extension DamagedState {
    init(_ row: StoredInstall) {
        self.init(install: String(decoding: row.install, as: UTF8.self))
    }
}
