import FlowEvents

extension InstallState {
    /// Removes the evidence that no later event can make count again.
    ///
    /// An event of `horizon` or later can belong to attempts that began at most one window before it, and results are
    /// computed for whole days. Evidence of earlier days, by the longest window of the funnels that it matches, has had
    /// its effect. The results stay: an actor counts once over any range of days, however old its attempts are.
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
        var days = removed.days
        days.add(gone, of: self)
        evidence = kept
        removed.horizon = max(removed.horizon ?? .min, horizon.milliseconds)
        let lastDay = Int(Day(containing: horizon).number)
        days.removeAll { Int($0.day) + rules.spanDays <= lastDay }
        removed.days = days
        tidyBlocks(rules.shape)
    }

    /// Whether at least half of the evidence can be removed.
    ///
    /// Only then is a row written again for it, so that each event is written at most once more for the removal of
    /// others.
    func isWorthPruning(_ rules: CountingRules, horizon: Timestamp) -> Bool {
        let count = removableCount(frontiers(rules, horizon: horizon))
        return count > 0 && count * 2 >= evidence.count
    }

    /// Whether it may be worth to prune the install, as far as the recent evidence and the catalog of the blocks say.
    func mayBeWorthPruning(_ rules: CountingRules, horizon: Timestamp, _ catalog: CatalogView) throws(DamagedBytes)
        -> Bool
    {
        // Each event stays at least as long as its funnel with the latest frontier says.
        let frontier = 
            rules.funnels.indices.map { rules.start(ofDaysChangedFrom: horizon.milliseconds, funnel: $0) }.max() ?? .max
        var removable = removableCount(frontiers(rules, horizon: horizon))
        for entry in try catalog.entries() where entry.count > 0 && entry.firstTime < frontier {
            removable += entry.count
        }
        return removable > 0 && removable * 2 >= evidence.count + catalog.eventCount
    }

    // By content: the start of the first day with attempts that can still change.
    private func frontiers(_ rules: CountingRules, horizon: Timestamp) -> [Int64] {
        let frontiers = rules.funnels.indices.map {
            rules.start(ofDaysChangedFrom: horizon.milliseconds, funnel: $0)
        }
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

    /// Sets the times of the blocks to those of their evidence, removes empty blocks, and joins those that have results
    /// only.
    private mutating func tidyBlocks(_ shape: HistoryShape) {
        var tidy: [HistoryBlock] = []
        var previousTime = Int64.min
        var isResultsOnly = false
        for (block, range) in zip(blocks, evidenceRanges()) {
            var block = block
            if let last = evidence[range].last {
                block.lastTime = last.time
                previousTime = last.time
                isResultsOnly = false
                tidy.append(block)
                continue
            }
            guard !block.results.isEmpty else { continue }
            block.lastTime = previousTime
            if isResultsOnly, let last = tidy.last, last.results.count + block.results.count <= shape.resultCount {
                tidy[tidy.count - 1].results = .joined([last.results, block.results])
            } else {
                tidy.append(block)
            }
            isResultsOnly = true
        }
        blocks = tidy
    }
}
