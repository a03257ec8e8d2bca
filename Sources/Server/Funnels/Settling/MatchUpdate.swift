import FlowEvents

/// What the matching events of an interval change for one install.
///
/// It is applied only when it is known that no more of the install's history is needed.
struct MatchUpdate {
    /// Whether the state has changed.
    var hasChanged = false
    /// Whether the install has too many events now and leaves the funnels.
    var isCapped = false
    /// Results before and after, in order of owner, then day: those of changed owners as far as the summary needs them.
    private var old: [DayOutcome] = []
    private var new: [DayOutcome] = []
    /// The rows of the history to write.
    var history: [HistoryRow] = []
    // The partitions of the arrivals that are counted so.
    private var late: [Int32] = []
    private var duplicates: [Int32] = []
    private var last: Int32?

    /// Adds the changes to those of other installs.
    ///
    /// - Parameter state: the install's state, to which the results refer.
    func count(into part: inout SettledPart, of state: InstallState) {
        for partition in late { part.settlement.quality[partition, default: Quality()].late += 1 }
        for partition in duplicates { part.settlement.quality[partition, default: Quality()].duplicates += 1 }
        if isCapped, let last { part.settlement.quality[last, default: Quality()].capped += 1 }
        part.changes.replace(old[...], by: new[...], of: state)
    }

    /// Adds arrivals to a state, without those that are too late to be judged and those that it has already.
    ///
    /// - Returns: the events that were added, in order.
    mutating func add(_ arrivals: [PendingEvents.Arrival], to state: inout InstallState) -> [Evidence] {
        last = arrivals.last?.partition
        return state.add(arrivals) { duplicates.append(arrivals[$0].partition) }
    }

    /// Counts the arrivals that came after evidence needed to judge them was removed.
    ///
    /// - Returns: the others.
    mutating func withoutLate(_ arrivals: [PendingEvents.Arrival], horizon: Int64?) -> [PendingEvents.Arrival] {
        guard let horizon, arrivals.contains(where: { $0.evidence.time < horizon }) else { return arrivals }
        late += arrivals.filter { $0.evidence.time < horizon }.map(\.partition)
        return arrivals.filter { $0.evidence.time >= horizon }
    }

    /// Takes the install out of the funnels. The state keeps its contents until the update is applied.
    mutating func cap(_ results: [DayOutcome]) {
        hasChanged = true
        isCapped = true
        replace(results, by: [])
    }

    /// Replaces all results of the install.
    mutating func replace(_ old: [DayOutcome], by new: [DayOutcome]) {
        (self.old, self.new) = (old, new)
    }

    /// Replaces results of the recent evidence, which belong together with those of the blocks.
    ///
    /// - Parameters:
    ///   - changes: the changes of the recent results.
    ///   - state: the state, with the results after; its strings receive the texts of the catalog.
    ///   - catalog: the catalog of the blocks; `nil` where there are none.
    /// - Returns: whether the catalog was enough.
    mutating func replaceRecent(_ changes: ResultChanges, in state: inout InstallState, _ catalog: CatalogView?)
        throws(DamagedBytes) -> Bool
    {
        // Mostly so of an install's first events.
        if catalog == nil, changes.added.count == state.results.count, changes.removed.isEmpty {
            replace([], by: changes.added)
            return true
        }
        return try changes.forEachOwner(state.results, state.details) { change throws(DamagedBytes) in
            if let days = change.openDays(hasEarlier: catalog != nil) {
                append(days, change.before, change.after)
                return true
            }
            guard let catalog else {
                append(change.earlier, change.before, change.after)
                return true
            }
            let owner = change.owner
            var actor: Catalog.OpenActor?
            // The search in the fingerprints is the faster one, and mostly a session has no results in the blocks.
            if catalog.mayContain(state.fingerprint(owner)) {
                actor = try catalog.actor(owner, strings: &state.strings, &state.details)
                if actor == nil { return false }
            }
            var open: ArraySlice<DayOutcome> = []
            if let actor {
                guard let days = actor.days(within: change.greatestRank) else { return false }
                open = days
            }
            if let last = open.last, let first = change.firstDay, first < last.day { return false }
            append(open, change)
            return true
        }
    }

    /// Appends the results of one more owner.
    ///
    /// - Parameter open: those of the blocks.
    private mutating func append(_ open: ArraySlice<DayOutcome>, _ change: ResultChanges.Change) {
        reserve(open.count + change.earlier.count + max(change.before.count, change.after.count))
        let (start, newStart) = (old.count, new.count)
        for best in open {
            old.append(best)
            new.append(best)
        }
        for best in change.earlier {
            old.join(best, from: start)
            new.join(best, from: newStart)
        }
        for best in change.before { old.join(best, from: start) }
        for best in change.after { new.join(best, from: newStart) }
    }

    /// Appends the results of one more owner, of which the earlier ones need not be all.
    private mutating func append(
        _ earlier: ArraySlice<DayOutcome>,
        _ before: ArraySlice<DayOutcome>,
        _ after: ArraySlice<DayOutcome>
    ) {
        reserve(earlier.count + max(before.count, after.count))
        for best in earlier {
            old.append(best)
            new.append(best)
        }
        for best in before { old.append(best) }
        for best in after { new.append(best) }
    }

    private mutating func reserve(_ count: Int) {
        guard old.isEmpty, new.isEmpty else { return }
        // Mostly one event changes three owners.
        old.reserveCapacity(max(12, count))
        new.reserveCapacity(max(12, count))
    }
}

extension ArraySlice<DayOutcome> {
    /// The first owner of two parts that are in order of owner; `nil` where both are empty.
    static func firstOwner(_ lhs: Self, _ rhs: Self) -> DayOutcome.Owner? {
        guard let left = lhs.first?.owner else { return rhs.first?.owner }
        guard let right = rhs.first?.owner else { return left }
        return right < left ? right : left
    }
}

extension Catalog.OpenActor {
    /// The open results whose effect changes with later results of a rank or less, and the one before them.
    ///
    /// - Returns: `nil` where results that were cut off belong to them.
    fileprivate func days(within rank: Int) -> ArraySlice<DayOutcome>? {
        var first = days.partitioningIndex { $0.rank < rank } - 1
        // Where a date comes twice, an attempt can count before that of the day before.
        while first >= 0, days[first].isOutOfOrder { first -= 1 }
        guard first < 0 else { return days[first...] }
        return isCut ? nil : days[...]
    }
}
