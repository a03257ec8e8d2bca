import FlowEvents

/// The results of an install's recent evidence that were computed again.
struct ResultChanges {
    /// The days whose results were computed again, by funnel; `nil` for none.
    var days: [ClosedRange<Day>?]
    /// Their results before, and those after, in order of owner, then day.
    var removed: [DayBest]
    var added: [DayBest]

    /// The changed results of one owner.
    struct Change {
        var owner: DayBest.Owner
        /// The recent results before the changed days, which are as they were.
        var earlier: ArraySlice<DayBest>
        /// The results of the changed days before and after, followed by those of later days.
        var before: ArraySlice<DayBest>
        var after: ArraySlice<DayBest>
    }

    /// The changes, in order of owner.
    ///
    /// - Parameter results: the recent results after the changes.
    func byOwner(_ results: [DayBest]) -> [Change] {
        var changes: [Change] = []
        var (rest, newRest) = (removed[...], added[...])
        while let owner = ArraySlice.firstOwner(rest, newRest) {
            let own = rest.prefix { $0.owner == owner }
            let newOwn = newRest.prefix { $0.owner == owner }
            rest = rest.dropFirst(own.count)
            newRest = newRest.dropFirst(newOwn.count)
            guard !own.isEqual(to: newOwn), let days = days[owner.funnel] else { continue }
            let first = results.partitioningIndex { $0.owner >= owner }
            let all = results[first...].prefix { $0.owner == owner }
            let later = all.drop { $0.day <= days.upperBound }
            changes.append(
                Change(
                    owner: owner,
                    earlier: all.prefix { $0.day < days.lowerBound },
                    before: own.followed(by: later),
                    after: newOwn.followed(by: later)
                )
            )
        }
        return changes
    }
}

extension ResultChanges.Change {
    /// The earlier days whose effect changes with the changed days, or that change the effect of these.
    ///
    /// A later day shadows an earlier one that is less deep, and a day that is at least as deep as all changed days
    /// shadows all days before it.
    ///
    /// - Parameter hasEarlier: whether the owner may have results before ``earlier``.
    /// - Returns: `nil` where the days are not known, or come twice because clocks go back.
    func openDays(hasEarlier: Bool) -> ArraySlice<DayBest>? {
        if before.contains(where: \.isOutOfOrder) || after.contains(where: \.isOutOfOrder) { return nil }
        let depth = max(before.lazy.map(\.depth).max() ?? 0, after.lazy.map(\.depth).max() ?? 0)
        var open: [DayBest] = []
        for best in earlier.reversed() where best.depth >= open.last?.depth ?? 0 {
            if best.isOutOfOrder { return nil }
            open.append(best)
            if best.depth >= depth { return open.reversed()[...] }
        }
        return hasEarlier ? nil : open.reversed()[...]
    }
}

extension ArraySlice<DayBest> {
    /// These results, then the others. Mostly one of the two is empty, so nothing is copied.
    func followed(by others: ArraySlice<DayBest>) -> ArraySlice<DayBest> {
        if others.isEmpty { return self }
        if isEmpty { return others }
        var joined: [DayBest] = []
        joined.reserveCapacity(count + others.count)
        joined += self
        joined += others
        return joined[...]
    }

    /// Whether both have the same results. It compares by index: copying a result counts references.
    func isEqual(to other: ArraySlice<DayBest>) -> Bool {
        guard count == other.count else { return false }
        let distance = other.startIndex - startIndex
        return indices.allSatisfy { self[$0].hasSameContents(as: other[$0 + distance]) }
    }
}

extension DayBest {
    /// Whether both are equal. What differs most is compared first.
    func hasSameContents(as other: DayBest) -> Bool {
        depth == other.depth && day == other.day && ending == other.ending && times == other.times
            && owner == other.owner && isOutOfOrder == other.isOutOfOrder && amounts == other.amounts
    }
}
