import FlowEvents

extension InstallState {
    /// Moves the older recent events to new blocks, where there are enough of them: see ``FunnelBounds/eventsPerBlock``.
    /// Outcomes whose effect no later day can change go with them.
    ///
    /// With an index, the new blocks follow those of the history, whose events the state need not have. Without one, the state
    /// has all events, and the whole history is made: for the first time, or anew after a late event. Blocks are filled from
    /// the oldest event on, so those before the late event come out as they were.
    ///
    /// - Parameter index: the index of the install's history.
    /// - Returns: the rows to write, or those of the whole history, in order of their numbers; none where nothing is moved.
    mutating func archive(_ rules: CountingRules, _ index: HistoryIndex?) throws(DamagedBytes) -> [HistoryRow] {
        let start = recentStart
        let ranges = fullBlocks(in: start..<max(start, archivableEnd(rules)), rules.bounds)
        let end = ranges.last?.upperBound ?? start
        if end == start {
            // Outcomes whose events were removed have no block to go with.
            guard removed.horizon != nil, results.count > rules.bounds.outcomesPerBlock else { return [] }
        } else {
            archivedTime = evidence[end - 1].time
        }
        archiveOutcomes(rules)
        let closed = results.takeClosed(rules.bounds)
        guard end > start || closed.count * 2 >= rules.bounds.outcomesPerBlock else {
            results += closed
            results.sortAndJoin()
            return []
        }
        var (days, blocks) = try index?.contents() ?? ([], [])
        var rows: [HistoryRow] = []
        for (range, outcomes) in blockContents(ranges, closed, rules.bounds) {
            let lastTime = range.isEmpty ? blocks.last?.lastTime ?? .min : evidence[range.upperBound - 1].time
            blocks.append(HistoryIndex.Block(count: range.count, lastTime: lastTime))
            rows.append(block(Int64(blocks.count), range, outcomes))
        }
        days.add(evidence[start..<end], of: self)
        let added = fingerprints(of: evidence[start..<end], closed)
        return try HistoryIndex.rows(after: index, adding: added, days, blocks, limit: rules.bounds.fingerprintsPerRow)
            + rows
    }

    /// The ranges of the evidence that fill a block each. Events of the same time are never separated.
    private func fullBlocks(in range: Range<Int>, _ bounds: FunnelBounds) -> [Range<Int>] {
        var blocks: [Range<Int>] = []
        var start = range.lowerBound
        while range.upperBound - start >= bounds.eventsPerBlock {
            let time = evidence[start + bounds.eventsPerBlock - 1].time
            let end = evidence[start..<range.upperBound].partitioningIndex { $0.time > time }
            blocks.append(start..<end)
            start = end
        }
        return blocks
    }

    /// Divides outcomes among blocks of events.
    ///
    /// An outcome goes to the first block that ends on its day or later, so that a late event leaves most blocks as
    /// they are. Outcomes of days before all of these events go to the first block. Where there are too many for it,
    /// they get blocks without events behind the others.
    private func blockContents(
        _ ranges: [Range<Int>],
        _ outcomes: [DayOutcome],
        _ bounds: FunnelBounds
    ) -> [(events: Range<Int>, outcomes: [DayOutcome])] {
        func day(_ event: Int) -> Day { Day(containing: Timestamp(milliseconds: evidence[event].time)) }
        var blocks = ranges.map { (events: $0, outcomes: [DayOutcome]()) }
        let lastDays = ranges.map { day($0.upperBound - 1) }
        let firstDay = ranges.first.map { day($0.lowerBound).number - 1 } ?? .max
        var older: [DayOutcome] = []
        for outcome in outcomes {
            if outcome.day.number < firstDay {
                older.append(outcome)
            } else {
                blocks[min(lastDays.partitioningIndex { $0 >= outcome.day }, blocks.count - 1)].outcomes.append(outcome)
            }
        }
        if older.count <= bounds.outcomesPerBlock, !blocks.isEmpty {
            blocks[0].outcomes += older
            return blocks
        }
        older.sort { $0.day != $1.day ? $0.day < $1.day : $0.precedes($1) }
        for start in stride(from: 0, to: older.count, by: bounds.outcomesPerBlock) {
            blocks.append((0..<0, Array(older[start..<min(start + bounds.outcomesPerBlock, older.count)])))
        }
        return blocks
    }

    /// Marks the outcomes of attempts that begin in the blocks, and those that no event can change any more. The outcomes of a
    /// day that has events both in the blocks and after them are worked out again.
    private mutating func archiveOutcomes(_ rules: CountingRules) {
        let firstDays = rules.funnels.indices.map { funnel in
            var day = Day(number: Self.days.lowerBound)
            if archivedTime > .min { day = rules.days[funnel].firstDay(from: archivedTime) }
            return removed.horizon.map { max(day, rules.firstDay(changedFrom: $0, funnel: funnel)) } ?? day
        }
        if archivedTime > .min {
            let days = rules.funnels.indices.map { funnel in
                let last = rules.days[funnel].lastDay(through: archivedTime)
                return firstDays[funnel] <= last ? firstDays[funnel]...last : nil
            }
            updateOutcomes(rules, days: days)
        }
        for index in results.indices where results[index].day < firstDays[results[index].owner.funnel] {
            results[index].isArchived = true
        }
        results.sortAndJoin()
    }

    /// The fingerprints of events and of the actors of outcomes, each of these once.
    private func fingerprints(of events: ArraySlice<Evidence>, _ outcomes: [DayOutcome]) -> [UInt32] {
        var fingerprints = events.map(fingerprint)
        for (index, outcome) in outcomes.enumerated() where index == 0 || outcomes[index - 1].owner != outcome.owner {
            fingerprints.append(fingerprint(outcome.owner))
        }
        return fingerprints
    }

    private func archivableEnd(_ rules: CountingRules) -> Int {
        guard evidence.count > rules.bounds.recentCount else { return 0 }
        let oldest = evidence[evidence.count - rules.bounds.recentCount].time
        let limit = rules.earliestEntry(reaching: oldest) - FunnelBounds.slack
        return evidence.partitioningIndex { $0.time >= limit }
    }
}
