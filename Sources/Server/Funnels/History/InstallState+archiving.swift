import FlowEvents

extension InstallState {
    /// Moves the older recent events to new blocks, where there are enough of them: see ``HistoryShape``. The outcomes that no
    /// later day can change the effect of go with them.
    ///
    /// - Parameter index: the index of the install's history; `nil` where it has none. The state need not have its events.
    /// - Returns: the rows to write; none where nothing is moved.
    mutating func archive(_ rules: CountingRules, _ index: HistoryIndex?) throws(DamagedBytes) -> [HistoryRow] {
        let start = recentStart
        var end = max(start, archivableEnd(rules))
        if end - start < rules.shape.batchCount { end = start }
        if end == start {
            // Outcomes whose events were removed have no block to go with.
            guard removed.horizon != nil, results.count > rules.shape.resultCount else { return [] }
        } else {
            archivedTime = evidence[end - 1].time
            updateOutcomes(rules, days: days(of: start..<end, rules), replacesArchived: false)
        }
        for index in results.indices where isFinal(results[index], rules) { results[index].isArchived = true }
        results.sortAndJoin()
        let closed = results.takeClosed(rules.shape)
        guard end > start || closed.count * 2 >= rules.shape.resultCount else {
            results += closed
            results.sortAndJoin()
            return []
        }
        var (days, blocks) = try index?.contents() ?? ([], [])
        var number = index?.nextNumber ?? 1
        var rows: [HistoryRow] = []
        var next = start
        for time in lastTimes(ofBlocksIn: start..<end, rules.shape) {
            let last = evidence[next..<end].partitioningIndex { $0.time > time }
            rows.append(block(number, next..<last, rows.isEmpty ? closed : []))
            blocks.append(HistoryIndex.Block(number: number, count: last - next, lastTime: time))
            number += 1
            next = last
        }
        if end == start {
            rows.append(block(number, start..<start, closed))
            blocks.append(HistoryIndex.Block(number: number, lastTime: blocks.last?.lastTime ?? .min))
            number += 1
        }
        days.add(evidence[start..<end], of: self)
        let added = fingerprints(of: evidence[start..<end], closed)
        let limit = rules.shape.filterCount
        return try HistoryIndex.rows(after: index, adding: added, days, blocks, nextNumber: number, limit: limit) + rows
    }

    /// All rows of the history of a state with all events.
    ///
    /// - Parameter index: the index of the history before; `nil` where there was none.
    mutating func history(_ rules: CountingRules, _ index: HistoryIndex?) throws(DamagedBytes) -> [HistoryRow] {
        var number = index?.nextNumber ?? 1
        var blocks = try index?.contents().blocks.filter { $0.count > 0 } ?? []
        var events: [Range<Int>] = []
        var start = 0
        for position in blocks.indices {
            let end = evidence[start...].partitioningIndex { $0.time > blocks[position].lastTime }
            events.append(start..<end)
            start = end
        }
        // Those that late events have made too large are split.
        for position in blocks.indices.reversed() where events[position].count > rules.shape.splitCount {
            var (parts, ranges): ([HistoryIndex.Block], [Range<Int>]) = ([], [])
            var next = events[position].lowerBound
            for time in lastTimes(ofBlocksIn: events[position], rules.shape) {
                let end = evidence[next..<events[position].upperBound].partitioningIndex { $0.time > time }
                parts.append(
                    HistoryIndex.Block(number: parts.isEmpty ? blocks[position].number : number, lastTime: time)
                )
                if parts.count > 1 { number += 1 }
                ranges.append(next..<end)
                next = end
            }
            blocks.replaceSubrange(position...position, with: parts)
            events.replaceSubrange(position...position, with: ranges)
        }
        let kept = blocks.indices.filter { !events[$0].isEmpty }
        blocks = kept.map {
            HistoryIndex.Block(number: blocks[$0].number, count: events[$0].count, lastTime: blocks[$0].lastTime)
        }
        events = kept.map { events[$0] }
        for position in blocks.indices { blocks[position].lastTime = evidence[events[position].upperBound - 1].time }
        for index in results.indices where isFinal(results[index], rules) { results[index].isArchived = true }
        results.sortAndJoin()
        let closed = results.takeClosed(rules.shape)
        var outcomes = [[DayOutcome]](repeating: [], count: blocks.count)
        var older: [DayOutcome] = []
        // Of each day the first block that ends on it or later: so most blocks stay as they are.
        let lastDays = blocks.map { Day(containing: Timestamp(milliseconds: $0.lastTime)) }
        let firstDay = evidence.first.map { Day(containing: Timestamp(milliseconds: $0.time)) }
        for outcome in closed {
            if blocks.isEmpty || outcome.day.number < (firstDay?.number ?? .max) - 1 {
                older.append(outcome)
            } else {
                outcomes[min(lastDays.partitioningIndex { $0 >= outcome.day }, blocks.count - 1)].append(outcome)
            }
        }
        var rows = blocks.indices.map { block(blocks[$0].number, events[$0], outcomes[$0]) }
        older.sort { $0.day != $1.day ? $0.day < $1.day : $0.precedes($1) }
        var parts: [HistoryIndex.Block] = []
        for start in stride(from: 0, to: older.count, by: max(1, rules.shape.resultCount)) {
            var part = Array(older[start..<min(start + rules.shape.resultCount, older.count)])
            part.sortByOwner()
            parts.append(HistoryIndex.Block(number: number))
            rows.append(block(number, 0..<0, part))
            number += 1
        }
        guard !rows.isEmpty else { return [] }
        var days: [DayCount] = []
        days.add(evidence[..<start], of: self)
        rows += try HistoryIndex.rows(
            after: nil,
            adding: fingerprints(of: evidence[..<start], closed),
            days,
            parts + blocks,
            nextNumber: number,
            limit: rules.shape.filterCount
        )
        return rows.sorted { $0.number < $1.number }
    }

    /// The fingerprints of events and of the actors of outcomes, each of these once.
    private func fingerprints(of events: ArraySlice<Evidence>, _ outcomes: [DayOutcome]) -> [UInt32] {
        var fingerprints = events.map(fingerprint)
        for (index, outcome) in outcomes.enumerated() where index == 0 || outcomes[index - 1].owner != outcome.owner {
            fingerprints.append(fingerprint(outcome.owner))
        }
        return fingerprints
    }

    /// Whether no event that can still come changes an outcome, because events of its day were removed.
    private func isFinal(_ outcome: DayOutcome, _ rules: CountingRules) -> Bool {
        let funnel = outcome.owner.funnel
        return removed.horizon.map { outcome.day < rules.firstDay(changedFrom: $0, funnel: funnel) } ?? false
    }

    /// By funnel the days of some events, without those of which events were removed.
    private func days(of range: Range<Int>, _ rules: CountingRules) -> [ClosedRange<Day>?] {
        let (firstTime, lastTime) = (evidence[range.lowerBound].time, evidence[range.upperBound - 1].time)
        return rules.funnels.indices.map { funnel in
            let first = rules.days[funnel].firstDay(from: firstTime)
            let last = rules.days[funnel].lastDay(through: lastTime)
            let lower = max(first, removed.horizon.map { rules.firstDay(changedFrom: $0, funnel: funnel) } ?? first)
            return lower <= last ? lower...last : nil
        }
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
