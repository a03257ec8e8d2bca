import FlowEvents

/// What the events of an interval change for one install.
///
/// It is applied only when it is known that no more of the install's history is needed.
struct InstallUpdate {
    /// Whether the state has changed.
    fileprivate(set) var hasChanged = false
    /// Whether the install has too many events now and leaves the funnels. The state keeps its contents until the update is
    /// applied.
    fileprivate(set) var isCapped = false
    /// The rows of the history to write.
    fileprivate(set) var history: [HistoryRow] = []
    // The outcomes that count before and after, as far as the summary needs them.
    fileprivate var before: [DayOutcome] = []
    fileprivate var after: [DayOutcome] = []
    // The partitions of the arrivals that are repeats.
    private var duplicates: [Int32] = []
    private var last: Int32?

    /// Adds the changes to those of other installs.
    ///
    /// - Parameter state: the install's state, to which the outcomes refer.
    func count(into counted: inout CountedInstalls, of state: InstallState) {
        for partition in duplicates { counted.quality[partition, default: Quality()].duplicates += 1 }
        if isCapped, let last { counted.quality[last, default: Quality()].capped += 1 }
        counted.changes.replace(before[...], by: after[...], of: state)
    }

    /// The same update with the rows by which its whole history takes the place of another one.
    ///
    /// - Parameter history: the rows that the store has.
    func replacing(_ history: [HistoryRow]) -> InstallUpdate {
        var update = self
        if hasChanged { update.history = history.changes(to: self.history) }
        return update
    }

    /// Adds arrivals to a state, without those that it has already.
    ///
    /// - Returns: the events that were added, in order.
    fileprivate mutating func add(
        _ arrivals: [PendingEvents.Arrival],
        to state: inout InstallState,
        _ rules: CountingRules
    ) -> [Evidence] {
        last = arrivals.last?.partition
        var repeats: [Int] = []
        let added = state.add(arrivals) { repeats.append($0) }
        for position in repeats where state.takesPart(arrivals[position].evidence, rules) {
            duplicates.append(arrivals[position].partition)
        }
        return added
    }
}

extension InstallState {
    /// Adds arrivals to a state.
    ///
    /// - Parameter index: the index of the history, where the state has the recent events only; `nil` where it has all events.
    /// - Returns: `nil` where all of the history is needed; never without an index. The state must not be used then.
    mutating func add(
        _ arrivals: [PendingEvents.Arrival],
        _ rules: CountingRules,
        _ index: HistoryIndex?,
        horizon: Timestamp?
    ) throws(DamagedBytes) -> InstallUpdate? {
        var update = InstallUpdate()
        if let index, arrivals.contains(where: { mayAffect(index, $0.evidence, rules) }) { return nil }
        let added = update.add(arrivals, to: &self, rules)
        if added.isEmpty { return update }
        if let index, rules.hasFirstEntries {
            guard findEntered(rules, index) else { return nil }
        }
        update.before = results.counting()
        if try isAbove(rules, index) {
            guard index == nil else { return nil }
            update.hasChanged = true
            update.isCapped = true
            return update
        }
        update.hasChanged = true
        updateOutcomes(rules, days: daysChanged(by: added, rules))
        update.after = results.counting()
        if let index, !areKnown(update, index) { return nil }
        if let horizon { prune(rules, horizon: horizon) }
        update.history = try archive(rules, index)
        return update
    }

    /// Whether an event takes part in a funnel. One that tells only where somebody went next does not.
    fileprivate func takesPart(_ event: Evidence, _ rules: CountingRules) -> Bool {
        rules.kernel.indices.contains { funnel in
            contents.match(event.content, funnel: funnel).takesPart
                && (rules.kernel[funnel].actors != .sessions || event.session != nil)
        }
    }

    /// Whether an event can change an outcome of the blocks, or may be a repeat of an event there.
    private func mayAffect(_ index: HistoryIndex, _ event: Evidence, _ rules: CountingRules) -> Bool {
        if index.eventCount > 0, rules.earliestEntry(reaching: event.time) <= index.lastTime { return true }
        return index.mayContain(fingerprint(event))
    }

    /// Whether the state has all outcomes of the changed owners whose effect changes, and that change the effect of those.
    private func areKnown(_ update: InstallUpdate, _ index: HistoryIndex) -> Bool {
        var (before, after) = (update.before[...], update.after[...])
        while let owner = ArraySlice.firstOwner(before, after) {
            let old = before.prefix { $0.owner == owner }
            let new = after.prefix { $0.owner == owner }
            before = before[old.endIndex...]
            after = after[new.endIndex...]
            guard !details.areEqual(old, new) else { continue }
            guard let first = results.first(where: { $0.owner == owner && $0.isArchived }) else {
                // The owner is new to the state, and may have outcomes in the blocks.
                if index.mayContain(fingerprint(owner)) { return false }
                continue
            }
            guard first.isCut else { continue }
            // Of the outcomes that were cut off, all are at least as high as the first that is left.
            let highest = max(old.highestRecentRank, new.highestRecentRank)
            if highest > first.rank || first.isOutOfOrder { return false }
        }
        return true
    }
}

extension ArraySlice<DayOutcome> {
    /// The first owner of two parts that are in order of owner; `nil` where both are empty.
    static func firstOwner(_ lhs: Self, _ rhs: Self) -> DayOutcome.Owner? {
        guard let left = lhs.first?.owner else { return rhs.first?.owner }
        guard let right = rhs.first?.owner else { return left }
        return right < left ? right : left
    }

    fileprivate var highestRecentRank: Int {
        var rank = 0
        for outcome in self where !outcome.isArchived { rank = Swift.max(rank, outcome.rank) }
        return rank
    }
}
