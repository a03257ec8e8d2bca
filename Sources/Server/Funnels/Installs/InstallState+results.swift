import FlowEvents

extension InstallState {
    /// Computes the results again that evidence from `earliest` to `latest` can have changed.
    ///
    /// An attempt that such evidence belongs to began at most one window before `earliest`, so the results of earlier
    /// days do not change, and no attempt that begins after `latest` does. The work grows with the evidence since then,
    /// not with all evidence of the install.
    mutating func updateResults(_ funnels: [Funnel], from earliest: Int64, through latest: Int64 = times.upperBound) {
        let last = Day(containing: Timestamp(milliseconds: latest))
        updateResults(funnels) { funnel in
            Day(containing: Timestamp(milliseconds: earliest - funnel.windowMilliseconds))...last
        }
    }

    /// Computes the results of some days again, for each funnel its own, and stores each with the part that the
    /// attempt's first event belongs to.
    ///
    /// - Parameter days: returns the days of a funnel; `nil` for none.
    mutating func updateResults(_ funnels: [Funnel], days: (Funnel) -> ClosedRange<Day>?) {
        let updated = funnels.map(days)
        var computed = [[DayBest]](repeating: [], count: blocks.count + 1)
        for (index, funnel) in funnels.enumerated() {
            if let days = updated[index] { appendResults(of: funnel, index: index, days: days, to: &computed) }
        }
        for part in blocks.indices { blocks[part].results.replace(days: updated, by: &computed[part]) }
        results.replace(days: updated, by: &computed[blocks.count])
    }

    private mutating func appendResults(
        of funnel: Funnel,
        index: Int,
        days: ClosedRange<Day>,
        to results: inout [[DayBest]]
    ) {
        var events = matching(funnel, index: index, days: days)
        guard funnel.count == .sessions else {
            return append(events[...], funnel, index: index, session: nil, through: days.upperBound, to: &results)
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
            append(own, funnel, index: index, session: session, through: days.upperBound, to: &results)
            rest = rest.dropFirst(own.count)
        }
    }

    /// The events that match a step of a funnel and can be part of attempts of these days, in the funnel's order.
    private func matching(_ funnel: Funnel, index funnelIndex: Int, days: ClosedRange<Day>) -> [Evidence] {
        let first = Int64(days.lowerBound.number) * 86_400_000
        let last = (Int64(days.upperBound.number) + 1) * 86_400_000 + funnel.windowMilliseconds
        let rest = evidence[evidence.partitioningIndex { $0.time >= first }...]
        var events = rest[..<rest.partitioningIndex { $0.time > last }].filter {
            signatures.mask($0.signature, funnel: funnelIndex) != 0
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
                    (lowestStep($0.element, funnelIndex), $0.offset) < (lowestStep($1.element, funnelIndex), $1.offset)
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

    /// Appends the best attempts of one actor by part and day: of all its attempts, and of those of each breakdown
    /// value.
    private mutating func append(
        _ events: ArraySlice<Evidence>,
        _ funnel: Funnel,
        index: Int,
        session: StringTable.Index?,
        through lastDay: Day,
        to results: inout [[DayBest]]
    ) {
        guard let first = events.first else { return }
        attempts.reset(stepCount: funnel.steps.count, window: funnel.windowMilliseconds)
        for event in events {
            attempts.append(time: event.time, mask: signatures.mask(event.signature, funnel: index))
        }
        // The indices in the part's results of the latest day of all attempts, and of those of each breakdown value.
        // Most attempts have the value of the one before.
        var latest: Int?
        var latestByValue: [StringTable.Index: Int] = [:]
        var last: (value: StringTable.Index, index: Int)?
        var part = part(of: first.time)
        let (signatures, blocks) = (signatures, blocks)
        attempts.forEach { first, depth, times in
            let event = events[events.startIndex + first]
            let day = Day(containing: .init(milliseconds: event.time))
            guard day <= lastDay else { return }
            while part < blocks.count, blocks[part].lastTime < event.time {
                part += 1
                (latest, last) = (nil, nil)
                latestByValue.removeAll()
            }
            let owner = DayBest.Owner(funnel: index, session: session, value: nil)
            latest = results[part].improve(latest, owner, day, depth, times)
            guard let value = signatures.value(event.signature, funnel: index) else { return }
            let valueOwner = DayBest.Owner(funnel: index, session: session, value: value)
            if let other = last, other.value != value {
                latestByValue[other.value] = other.index
                last = latestByValue[value].map { (value, $0) }
            }
            last = (value, results[part].improve(last?.index, valueOwner, day, depth, times))
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

    /// Replaces the results of some days. Both must be in order of owner, then day, when they are merged.
    ///
    /// - Parameters:
    ///   - days: the days by funnel.
    ///   - computed: the results of these days, in any order.
    fileprivate mutating func replace(days: [ClosedRange<Day>?], by computed: inout [DayBest]) {
        computed.sortByOwner()
        var merged: [DayBest] = []
        merged.reserveCapacity(count + computed.count)
        var next = 0
        for best in self {
            if let days = days[best.owner.funnel], days.contains(best.day) { continue }
            while next < computed.count, (computed[next].owner, computed[next].day) < (best.owner, best.day) {
                merged.append(computed[next])
                next += 1
            }
            merged.append(best)
        }
        merged += computed[next...]
        self = merged
    }
}
