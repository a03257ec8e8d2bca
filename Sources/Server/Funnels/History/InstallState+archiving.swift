import FlowEvents

extension InstallState {
    /// Moves the older recent evidence to new blocks, with the results of the attempts that begin in it, where there is
    /// enough of it: see ``HistoryShape``. Results whose evidence was removed go with it.
    ///
    /// - Parameter number: the number of the first new block.
    /// - Returns: whether there are new blocks, behind those that the state has.
    mutating func archive(_ rules: CountingRules, number: Int64) -> Bool {
        let start = recentStart
        var end = archivableEnd(rules)
        if end - start < rules.shape.batchCount { end = start }
        let old = removed.horizon == nil ? [] : results.filter { isSettled($0, rules) }
        let hasOwnBlocks = old.count * 2 >= max(2, rules.shape.resultCount)
        guard end > start || hasOwnBlocks else { return false }
        if !old.isEmpty { results = results.filter { !isSettled($0, rules) } }
        var new: [HistoryBlock] = []
        if hasOwnBlocks {
            let time = blocks.last?.lastTime ?? .min
            let sorted = old.sorted { $0.day != $1.day ? $0.day < $1.day : $0.owner < $1.owner }
            for first in stride(from: 0, to: sorted.count, by: rules.shape.resultCount) {
                var part = Array(sorted[first..<min(first + rules.shape.resultCount, sorted.count)])
                part.sortByOwner()
                new.append(HistoryBlock(number: number + Int64(new.count), lastTime: time, results: part))
            }
        }
        let firstWithEvidence = new.count
        for time in lastTimes(ofBlocksIn: start..<end, rules.shape) {
            new.append(HistoryBlock(number: number + Int64(new.count), lastTime: time))
        }
        if !hasOwnBlocks { new[firstWithEvidence].results = old }
        blocks += new
        if end > start { computeResults(beginningIn: start..<end, rules) }
        return true
    }

    /// Divides blocks that late events have made too large.
    ///
    /// - Parameter number: the number of the next new block.
    mutating func splitBlocks(_ rules: CountingRules, number: inout Int64) {
        let ranges = evidenceRanges()
        for index in blocks.indices.reversed() where ranges[index].count > rules.shape.splitCount {
            let times = lastTimes(ofBlocksIn: ranges[index], rules.shape)
            guard times.count > 1 else { continue }
            let block = blocks[index]
            var parts: [HistoryBlock] = []
            for time in times {
                parts.append(HistoryBlock(number: parts.isEmpty ? block.number : number, lastTime: time))
                if parts.count > 1 { number += 1 }
            }
            // The results of attempts in the block are computed again below; the others belong to no evidence.
            parts[0].results = block.results
            blocks.replaceSubrange(index...index, with: parts)
            computeResults(beginningIn: ranges[index], rules)
        }
    }

    /// Whether no event that can still come changes a result, because its evidence was removed.
    private func isSettled(_ best: DayOutcome, _ rules: CountingRules) -> Bool {
        frontier(rules, funnel: best.owner.funnel).map { best.day < $0 } ?? false
    }

    /// The first day of which all evidence of a funnel was kept; `nil` where none was removed.
    private func frontier(_ rules: CountingRules, funnel: Int) -> Day? {
        removed.horizon.map { rules.firstDay(changedFrom: $0, funnel: funnel) }
    }

    /// Computes the results again of the days on which a range of the evidence lies.
    private mutating func computeResults(beginningIn range: Range<Int>, _ rules: CountingRules) {
        let (firstTime, lastTime) = (evidence[range.lowerBound].time, evidence[range.upperBound - 1].time)
        let days = rules.funnels.indices.map { index -> ClosedRange<Day>? in
            let first = rules.days[index].firstDay(from: firstTime)
            let last = rules.days[index].lastDay(through: lastTime)
            let lower = max(first, frontier(rules, funnel: index) ?? first)
            return lower <= last ? lower...last : nil
        }
        updateResults(rules, days: days)
    }

    private func archivableEnd(_ rules: CountingRules) -> Int {
        guard evidence.count > rules.shape.recentCount else { return 0 }
        let oldest = evidence[evidence.count - max(1, rules.shape.recentCount)].time
        let limit = rules.earliestEntry(reaching: oldest) - rules.shape.slack
        return evidence.partitioningIndex { $0.time >= limit }
    }

    /// The times of the last events of the blocks into which a range of the evidence is divided.
    private func lastTimes(ofBlocksIn range: Range<Int>, _ shape: HistoryShape) -> [Int64] {
        guard !range.isEmpty else { return [] }
        let blockCount = (range.count + shape.blockCount - 1) / shape.blockCount
        let size = (range.count + blockCount - 1) / blockCount
        var times: [Int64] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let time = evidence[min(start + size, range.upperBound) - 1].time
            times.append(time)
            start = evidence[start..<range.upperBound].partitioningIndex { $0.time > time }
        }
        return times
    }
}
