import FlowEvents

extension InstallState {
    /// Computes the results again that evidence of `earliest` or later can have changed.
    ///
    /// An attempt that such evidence belongs to began at most one window before `earliest`, so the results of earlier
    /// days do not change. The work grows with the evidence since then, not with all evidence of the install.
    mutating func updateResults(_ funnels: [Funnel], since earliest: Int64) {
        var updated: [DayBest] = []
        updated.reserveCapacity(results.count + 4)
        var rest = results[...]
        for (index, funnel) in funnels.enumerated() {
            let firstDay = Day(containing: .init(milliseconds: earliest - funnel.windowMilliseconds))
            let old = rest.prefix { $0.owner.funnel == index }
            rest = rest.dropFirst(old.count)
            let start = updated.count
            updated += old.lazy.filter { $0.day < firstDay }
            appendResults(of: funnel, index: index, from: firstDay, to: &updated)
            // The days of a single owner are in order already.
            if funnel.count == .sessions || funnel.breakdown != nil {
                updated[start...].sort { ($0.owner, $0.day) < ($1.owner, $1.day) }
            }
        }
        results = updated
    }

    private mutating func appendResults(of funnel: Funnel, index: Int, from firstDay: Day, to results: inout [DayBest])
    {
        var events = matching(funnel: index, from: Int64(firstDay.number) * 86_400_000)
        guard funnel.count == .sessions else {
            return append(events[...], funnel, index: index, session: nil, to: &results)
        }
        if zip(events, events.dropFirst()).contains(where: { $0.$session > $1.$session }) {
            // The sort need not be stable, so the offset breaks ties.
            events = events.enumerated()
                .sorted { ($0.element.$session, $0.offset) < ($1.element.$session, $1.offset) }
                .map(\.element)
        }
        var rest = events[...]
        while let session = rest.first?.session {
            let own = rest.prefix { $0.session == session }
            append(own, funnel, index: index, session: session, to: &results)
            rest = rest.dropFirst(own.count)
        }
    }

    /// The events of `start` or later that match a step of a funnel, in the funnel's order.
    private func matching(funnel: Int, from start: Int64) -> [Evidence] {
        var events = evidence[evidence.partitioningIndex { $0.time >= start }...].filter {
            signatures.mask($0.signature, funnel: funnel) != 0
        }
        // Among equal times and sequences, the lowest step decides before the id and the source.
        var start = 0
        while start < events.count {
            var end = start + 1
            while end < events.count, events[end].time == events[start].time,
                events[end].sequence == events[start].sequence
            {
                end += 1
            }
            if end - start > 1 {
                let run = events[start..<end].enumerated().sorted {
                    (lowestStep($0.element, funnel), $0.offset) < (lowestStep($1.element, funnel), $1.offset)
                }
                events.replaceSubrange(start..<end, with: run.map(\.element))
            }
            start = end
        }
        return events
    }

    private func lowestStep(_ event: Evidence, _ funnel: Int) -> Int {
        signatures.mask(event.signature, funnel: funnel).trailingZeroBitCount
    }

    /// Appends the best attempts of one actor by day: of all its attempts, and of those of each breakdown value.
    private mutating func append(
        _ events: ArraySlice<Evidence>,
        _ funnel: Funnel,
        index: Int,
        session: StringTable.Index?,
        to results: inout [DayBest]
    ) {
        attempts.reset(stepCount: funnel.steps.count, window: funnel.windowMilliseconds)
        for event in events {
            attempts.append(time: event.time, mask: signatures.mask(event.signature, funnel: index))
        }
        // The indices in `results` of the latest day of all attempts, and of those of each breakdown value.
        var latest: Int?
        var latestByValue: [StringTable.Index: Int] = [:]
        let signatures = signatures
        attempts.forEach { first, depth, times in
            let event = events[events.startIndex + first]
            let day = Day(containing: .init(milliseconds: event.time))
            let owner = DayBest.Owner(funnel: index, session: session, value: nil)
            latest = results.improve(latest, owner, day, depth, times)
            guard let value = signatures.value(event.signature, funnel: index) else { return }
            let valueOwner = DayBest.Owner(funnel: index, session: session, value: value)
            latestByValue[value] = results.improve(latestByValue[value], valueOwner, day, depth, times)
        }
    }
}

extension [DayBest] {
    /// Adds an attempt: to the result at `index` where that is of the attempt's day, else as a new result.
    ///
    /// - Returns: the index of the result.
    fileprivate mutating func improve(
        _ index: Int?,
        _ owner: DayBest.Owner,
        _ day: Day,
        _ depth: Int,
        _ times: ArraySlice<Int64>
    ) -> Int {
        guard let index, self[index].day == day else {
            append(DayBest(owner: owner, day: day, depth: depth, times: [Int64](times)))
            return count - 1
        }
        // Of two attempts of the same depth, the earlier one counts.
        if depth > self[index].depth {
            self[index].depth = depth
            self[index].times = [Int64](times)
        }
        return index
    }
}
