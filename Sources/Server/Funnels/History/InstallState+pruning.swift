import FlowEvents

extension InstallState {
    /// Removes the evidence that no later event can make count again.
    ///
    /// An event of `horizon` or later can belong to attempts that began at most one window before it, and outcomes are
    /// worked out for whole days. Evidence of earlier days, by the longest window of the funnels that need it, has had its
    /// effect. The outcomes stay: an actor counts once over any range of days, however old its attempts are.
    mutating func prune(_ rules: CountingRules, horizon: Timestamp) {
        // No frontier is later than the horizon, and mostly all recent evidence is.
        guard let first = evidence.first, first.time < horizon.milliseconds else { return }
        let frontiers = frontiers(rules, horizon: horizon)
        guard removableCount(frontiers) > 0 else { return }
        var gone: [Evidence] = []
        var kept: [Evidence] = []
        kept.reserveCapacity(evidence.count)
        for event in evidence {
            if event.time >= frontiers[event.content.offset] { kept.append(event) } else { gone.append(event) }
        }
        removed.days.add(gone, of: self)
        evidence = kept
        removed.horizon = max(removed.horizon ?? .min, horizon.milliseconds)
        let lastDay = Int(Day(containing: horizon).number)
        removed.days.removeAll { Int($0.day) + rules.spanDays <= lastDay }
    }

    /// Whether at least half of the evidence can be removed.
    ///
    /// Only then is a row written again for it, so that each event is written at most once more for the removal of
    /// others.
    func isWorthPruning(_ rules: CountingRules, horizon: Timestamp) -> Bool {
        let count = removableCount(frontiers(rules, horizon: horizon))
        return count > 0 && count * 2 >= evidence.count
    }

    /// Whether it may be worth to prune the install, as far as the recent events and the index of the blocks say.
    func mayBeWorthPruning(_ rules: CountingRules, horizon: Timestamp, _ index: HistoryIndex) throws(DamagedBytes)
        -> Bool
    {
        // Each event stays at least as long as its funnel with the latest frontier says.
        let frontier = frontiers(rules, horizon.milliseconds).max() ?? .max
        let (days, blocks) = try index.contents()
        let old = days.filter { Int64($0.day) * 86_400_000 < frontier }.reduce(0) { $0 + $1.count }
        let removable = removableCount(frontiers(rules, horizon: horizon)) + (blocks.isEmpty ? 0 : old)
        return removable > 0 && removable * 2 >= evidence.count + index.eventCount
    }

    // By funnel: the start of the first day with attempts that can still change.
    private func frontiers(_ rules: CountingRules, _ horizon: Int64) -> [Int64] {
        rules.funnels.indices.map { rules.start(ofDaysChangedFrom: horizon, funnel: $0) }
    }

    // By content: the start of the first day with attempts that can still change.
    private func frontiers(_ rules: CountingRules, horizon: Timestamp) -> [Int64] {
        let frontiers = frontiers(rules, horizon.milliseconds)
        return (0..<contents.count).map { content in
            frontiers.indices.lazy
                .filter { contents.match(EventContents.Index(content), funnel: $0).isNeeded }.map { frontiers[$0] }
                .min()
                ?? horizon.milliseconds
        }
    }

    private func removableCount(_ frontiers: [Int64]) -> Int {
        guard let last = frontiers.max() else { return 0 }
        var count = 0
        for event in evidence {
            guard event.time < last else { break }
            if event.time < frontiers[event.content.offset] { count += 1 }
        }
        return count
    }
}
