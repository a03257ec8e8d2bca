import FlowEvents

extension InstallState {
    /// Works out the results again for all that evidence of `earliest` or later can have changed.
    ///
    /// An attempt that such evidence can be part of began at most a window before it, so that earlier days stand as
    /// they are: the work is bounded by what the install has had since then.
    mutating func updateResults(_ funnels: [Funnel], since earliest: Int64) {
        var updated: [DayBest] = []
        updated.reserveCapacity(results.count + 4)
        var rest = results[...]
        for (index, funnel) in funnels.enumerated() {
            let firstDay = Day(containing: .init(milliseconds: earliest - funnel.window))
            let old = rest.prefix { $0.owner.funnel == index }
            rest = rest.dropFirst(old.count)
            let start = updated.count
            updated += old.lazy.filter { $0.day < firstDay }
            appendResults(of: funnel, index: index, from: firstDay, to: &updated)
            // A single owner's days have come in order.
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
            return append(events[...], funnel, index: index, session: 0, to: &results)
        }
        if zip(events, events.dropFirst()).contains(where: { $0.session > $1.session }) {
            // The place in the order breaks ties, as the sort need not be stable.
            events = events.enumerated()
                .sorted { ($0.element.session, $0.offset) < ($1.element.session, $1.offset) }
                .map(\.element)
        }
        var rest = events[...]
        while let session = rest.first?.session {
            let own = rest.prefix { $0.session == session }
            append(own, funnel, index: index, session: Int(session), to: &results)
            rest = rest.dropFirst(own.count)
        }
    }

    /// The events that match a step of a funnel, in its order, from a moment on; sessions only where it counts them.
    private func matching(funnel: Int, from start: Int64) -> [Evidence] {
        var events = evidence[firstIndex(from: start)...].filter {
            signatures.mask(Int($0.signature), funnel: funnel) != 0
        }
        // Where time and sequence are the same, the lowest step comes before id and source.
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
        signatures.mask(Int(event.signature), funnel: funnel).trailingZeroBitCount
    }

    private func firstIndex(from start: Int64) -> Int {
        var (low, high) = (0, evidence.count)
        while low < high {
            let middle = (low + high) / 2
            if evidence[middle].time < start { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Appends the best attempt of each day for one actor, all together and by breakdown value.
    private mutating func append(
        _ events: ArraySlice<Evidence>,
        _ funnel: Funnel,
        index: Int,
        session: Int,
        to results: inout [DayBest]
    ) {
        attempts.reset(stepCount: funnel.steps.count, window: funnel.window)
        for event in events {
            attempts.append(time: event.time, mask: signatures.mask(Int(event.signature), funnel: index))
        }
        // The places in `results` of the latest day of all attempts, and of those of each breakdown value.
        var latest: Int?
        var latestByValue: [Int: Int] = [:]
        let signatures = signatures
        attempts.forEach { first, depth, times in
            let event = events[events.startIndex + first]
            let day = Day(containing: .init(milliseconds: event.time))
            let owner = DayBest.Owner(funnel: index, session: session, value: 0)
            latest = results.improve(latest, owner, day, depth, times)
            let value = signatures.value(Int(event.signature), funnel: index)
            guard value > 0 else { return }
            let valueOwner = DayBest.Owner(funnel: index, session: session, value: value)
            latestByValue[value] = results.improve(latestByValue[value], valueOwner, day, depth, times)
        }
    }
}

extension [DayBest] {
    /// Takes in an attempt: at `place` where the same owner's attempts of its day are, else at the end.
    ///
    /// - Returns: the attempt's place.
    fileprivate mutating func improve(
        _ place: Int?,
        _ owner: DayBest.Owner,
        _ day: Day,
        _ depth: Int,
        _ times: ArraySlice<Int64>
    ) -> Int {
        guard let place, self[place].day == day else {
            append(DayBest(owner: owner, day: day, depth: depth, times: [Int64](times)))
            return count - 1
        }
        // The earlier of two as deep is the one that counts.
        if depth > self[place].depth {
            self[place].depth = depth
            self[place].times = [Int64](times)
        }
        return place
    }
}
