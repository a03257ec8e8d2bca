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

        /// The first day of all of them; `nil` where there is none.
        var firstDay: Day? {
            if let first = earlier.first { return first.day }
            guard let day = before.first?.day else { return after.first?.day }
            return after.first.map { min($0.day, day) } ?? day
        }

        /// The greatest depth of all of them; 0 where there is none.
        var greatestDepth: Int {
            var depth = 0
            for best in earlier { depth = max(depth, best.depth) }
            for best in before { depth = max(depth, best.depth) }
            for best in after { depth = max(depth, best.depth) }
            return depth
        }
    }

    /// Calls `body` with the changes of each owner whose results have changed, in order of owner, until it returns `false`.
    ///
    /// - Parameters:
    ///   - results: the recent results after the changes.
    ///   - details: the details of all of them.
    /// - Returns: whether `body` was called with all changes.
    func forEachOwner(
        _ results: [DayBest],
        _ details: ResultDetails,
        _ body: (Change) throws(DamagedBytes) -> Bool
    ) throws(DamagedBytes) -> Bool {
        var (old, new) = (0, 0)
        while let owner = Self.firstOwner(removed, old, added, new) {
            let own = removed.slice(of: owner, from: &old)
            let newOwn = added.slice(of: owner, from: &new)
            guard !details.areEqual(own, newOwn), let days = days[owner.funnel] else { continue }
            var position = results.partitioningIndex { $0.owner >= owner }
            let all = results.slice(of: owner, from: &position)
            let later = all.drop { $0.day <= days.upperBound }
            let change = Change(
                owner: owner,
                earlier: all.prefix { $0.day < days.lowerBound },
                before: own.followed(by: later),
                after: newOwn.followed(by: later)
            )
            guard try body(change) else { return false }
        }
        return true
    }

    private static func firstOwner(_ lhs: [DayBest], _ left: Int, _ rhs: [DayBest], _ right: Int) -> DayBest.Owner? {
        guard left < lhs.count else { return right < rhs.count ? rhs[right].owner : nil }
        guard right < rhs.count else { return lhs[left].owner }
        return min(lhs[left].owner, rhs[right].owner)
    }
}

extension [DayBest] {
    /// The results of an owner that begin at a position, which is moved behind them.
    fileprivate func slice(of owner: DayBest.Owner, from position: inout Int) -> ArraySlice<DayBest> {
        let start = position
        while position < count, self[position].owner == owner { position += 1 }
        return self[start..<position]
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
        var depth = 0
        for best in before {
            if best.isOutOfOrder { return nil }
            depth = max(depth, best.depth)
        }
        for best in after {
            if best.isOutOfOrder { return nil }
            depth = max(depth, best.depth)
        }
        var open: [DayBest] = []
        for best in earlier.reversed() where best.depth >= open.last?.depth ?? 0 {
            if best.isOutOfOrder { return nil }
            open.append(best)
            if best.depth >= depth {
                open.reverse()
                return open[...]
            }
        }
        if hasEarlier { return nil }
        open.reverse()
        return open[...]
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
}
