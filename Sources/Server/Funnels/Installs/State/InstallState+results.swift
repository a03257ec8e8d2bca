import FlowEvents

extension InstallState {
    /// Computes the results again that evidence from `earliest` on can have changed.
    mutating func updateResults(_ rules: InstallRules, from earliest: Int64) {
        let days = rules.funnels.indices.map {
            Self.changedDays(rules, index: $0, by: earliest...Self.times.upperBound)
        }
        updateResults(rules, days: days)
    }

    /// Computes the results again that added evidence, in order of time, can have changed: those of the funnels that it
    /// takes part in.
    ///
    /// - Returns: the changes of the recent results.
    @discardableResult
    mutating func updateResults(_ rules: InstallRules, added: [Evidence]) -> ResultChanges {
        let days = rules.funnels.indices.map { index -> ClosedRange<Day>? in
            guard let first = added.first(where: { signatures.takesPart($0.signature, funnel: index) }),
                let last = added.last(where: { signatures.takesPart($0.signature, funnel: index) })
            else { return nil }
            return Self.changedDays(rules, index: index, by: first.time...last.time)
        }
        return updateResults(rules, days: days)
    }

    /// The days whose results evidence between two times can have changed.
    ///
    /// An attempt that such evidence belongs to began at most one window before the first time, so the results of
    /// earlier days do not change, and no attempt that begins after the last time does. The work grows with the
    /// evidence since then, not with all evidence of the install. Where only an actor's first event begins an attempt,
    /// an earlier event takes its attempt from any later day.
    private static func changedDays(
        _ rules: InstallRules,
        index: Int,
        by times: ClosedRange<Int64>
    ) -> ClosedRange<Day> {
        let first = rules.days[index].firstDay(from: times.lowerBound - rules.windows[index])
        let isFirstOnly = rules.funnels[index].entry == .first
        return first...(isFirstOnly ? lastDay : rules.days[index].lastDay(through: times.upperBound))
    }

    private static let lastDay = Day(number: days.upperBound)

    /// Computes the results of some days again, for each funnel its own, and stores each with the part that the
    /// attempt's first event belongs to.
    ///
    /// - Parameter days: the days by funnel; `nil` for none.
    /// - Returns: the changes of the recent results.
    @discardableResult
    mutating func updateResults(_ rules: InstallRules, days: [ClosedRange<Day>?]) -> ResultChanges {
        var computed = (0...blocks.count).map { _ in [DayBest]() }
        for index in rules.funnels.indices {
            if let days = days[index] { appendResults(rules, index: index, days: days, to: &computed) }
        }
        for part in computed.indices { computed[part].sortByOwner() }
        for part in blocks.indices { _ = blocks[part].results.replace(days: days, by: computed[part]) }
        let recent = computed[blocks.count]
        return ResultChanges(days: days, removed: results.replace(days: days, by: recent), added: recent)
    }

    /// The actors of a funnel that counts first entries only whose first event is on an earlier day, or in a block that
    /// the state does not have. Each has a result of it, however long ago its evidence was removed.
    private func enteredActors(_ index: Int, before day: Day) -> Set<CompactIndex<StringTable>> {
        var actors: Set<CompactIndex<StringTable>> = []
        for owner in entered where owner.funnel == index { actors.insert(owner.$actor) }
        for part in blocks.map(\.results) + [results] {
            for best in part where best.owner.funnel == index && best.day < day && best.owner.value == nil {
                actors.insert(best.owner.$actor)
            }
        }
        return actors
    }

    private mutating func appendResults(
        _ rules: InstallRules,
        index: Int,
        days: ClosedRange<Day>,
        to results: inout [[DayBest]]
    ) {
        let counting = rules.funnels[index].count
        let entered = rules.funnels[index].entry == .first ? enteredActors(index, before: days.lowerBound) : []
        let events = matching(rules, index: index, days: days)
        if case .installs = counting {
            guard !entered.contains(CompactIndex(wrappedValue: nil)) else { return }
            return append(events[...], rules, index: index, actor: nil, days: days, to: &results)
        }
        var actors = events.map { actor(of: $0, counting, index: index) }
        var sorted = events
        if zip(actors, actors.dropFirst()).contains(where: { $0 > $1 }) {
            // The sort need not be stable, so the offset breaks ties.
            let order = events.indices.sorted { (actors[$0], $0) < (actors[$1], $1) }
            sorted = order.map { events[$0] }
            actors = order.map { actors[$0] }
        }
        var start = 0
        while start < sorted.count {
            var end = start + 1
            while end < sorted.count, actors[end] == actors[start] { end += 1 }
            if let actor = actors[start].wrappedValue, entered.isEmpty || !entered.contains(actors[start]) {
                append(sorted[start..<end], rules, index: index, actor: actor, days: days, to: &results)
            }
            start = end
        }
    }

    /// Appends the best attempts of one actor by part and day: of all its attempts, and of those of each breakdown
    /// value.
    private mutating func append(
        _ events: ArraySlice<Evidence>,
        _ rules: InstallRules,
        index: Int,
        actor: StringTable.Index?,
        days: ClosedRange<Day>,
        to results: inout [[DayBest]]
    ) {
        guard let first = events.first else { return }
        let isFirstOnly = rules.funnels[index].entry == .first
        let hasSums = !signatures.layout.sums[index].isEmpty
        var calendar = rules.days[index]
        setAttempts(events, rules, index: index)
        // The indices in the part's results of the latest day of all attempts, and of those of each breakdown value.
        // Most attempts have the value of the one before.
        var latest: Int?
        var latestByValue: [StringTable.Index: Int] = [:]
        var last: (value: StringTable.Index, index: Int)?
        var part = part(of: first.time)
        // Taken out, because the attempts' closure reads the state.
        var attempts = Attempts()
        swap(&attempts, &self.attempts)
        defer { swap(&attempts, &self.attempts) }
        attempts.forEach { attempt in
            let event = events[events.startIndex + attempt.events[0]]
            let day = calendar.day(of: event.time)
            guard days.contains(day) else { return !isFirstOnly && day.number <= days.upperBound.number + 1 }
            while part < blocks.count, blocks[part].lastTime < event.time {
                part += 1
                (latest, last) = (nil, nil)
                latestByValue.removeAll()
            }
            let isOutOfOrder = calendar.isOutOfOrder(event.time)
            let best = { owner in
                DayBest(
                    owner: owner,
                    day: day,
                    depth: attempt.depth,
                    times: [Int64](attempt.times),
                    ending: attempt.ending,
                    amounts: hasSums ? signatures.amounts(of: attempt, events, funnel: index) : [],
                    isOutOfOrder: isOutOfOrder
                )
            }
            let owner = DayBest.Owner(funnel: index, actor: actor, value: nil)
            latest = results[part].improve(latest, owner, day, attempt.depth, best)
            guard let value = signatures.value(event.signature, funnel: index) else { return !isFirstOnly }
            let valueOwner = DayBest.Owner(funnel: index, actor: actor, value: value)
            if let other = last, other.value != value {
                latestByValue[other.value] = other.index
                last = latestByValue[value].map { (value, $0) }
            }
            last = (value, results[part].improve(last?.index, valueOwner, day, attempt.depth, best))
            return !isFirstOnly
        }
    }
}

extension [DayBest] {
    /// Adds an attempt: to the owner's result of the attempt's day, else as a new result.
    ///
    /// - Parameters:
    ///   - latest: the index of the owner's result of its latest day.
    ///   - best: returns the attempt as a result.
    /// - Returns: the index of the owner's result of its latest day.
    fileprivate mutating func improve(
        _ latest: Int?,
        _ owner: DayBest.Owner,
        _ day: Day,
        _ depth: Int,
        _ best: (DayBest.Owner) -> DayBest
    ) -> Int {
        var index = latest
        // Where clocks go back over midnight, an earlier day comes again.
        let isEarlier = latest.map { day < self[$0].day } ?? false
        if isEarlier { index = lastIndex { $0.owner == owner && $0.day == day } }
        guard let index, self[index].day == day else {
            append(best(owner))
            return isEarlier ? latest ?? count - 1 : count - 1
        }
        // Of two attempts of the same depth, the earlier one counts.
        if depth > self[index].depth { self[index] = best(owner) }
        return latest ?? index
    }

    /// Replaces the results of some days, in order of owner, then day.
    ///
    /// - Parameters:
    ///   - days: the days by funnel.
    ///   - computed: the results of these days.
    /// - Returns: the results that were there before.
    fileprivate mutating func replace(days: [ClosedRange<Day>?], by computed: [DayBest]) -> [DayBest] {
        if isEmpty {
            self = computed
            return []
        }
        // By index, because copying a result counts references.
        let replaced = indices.filter { days[self[$0].owner.funnel]?.contains(self[$0].day) ?? false }
        let removed = replaced.map { self[$0] }
        if Swift.max(replaced.count, computed.count) <= Self.greatestExchange {
            exchange(replaced, for: computed)
        } else {
            merge(computed, without: replaced)
        }
        return removed
    }

    // For more results, a new array is faster: each exchange moves all results behind it. Computed, because a generic type
    // has no stored static properties.
    private static var greatestExchange: Int { 8 }

    /// Puts results in the place of those at some indices, in this array.
    private mutating func exchange(_ replaced: [Int], for computed: [DayBest]) {
        // From the end, so that the indices before stay right. Mostly a day has another result than before, or there is
        // one day more.
        var (index, next) = (replaced.count - 1, computed.count - 1)
        while index >= 0 || next >= 0 {
            if index >= 0, next >= 0, self[replaced[index]].isOfSameDay(as: computed[next]) {
                self[replaced[index]] = computed[next]
                (index, next) = (index - 1, next - 1)
            } else if next < 0 || index >= 0 && computed[next].comes(before: self[replaced[index]]) {
                remove(at: replaced[index])
                index -= 1
            } else {
                insert(computed[next], at: partitioningIndex { computed[next].comes(before: $0) })
                next -= 1
            }
        }
    }

    /// The same in a new array, which counts a reference for each result.
    private mutating func merge(_ computed: [DayBest], without replaced: [Int]) {
        var merged: [DayBest] = []
        merged.reserveCapacity(count - replaced.count + computed.count)
        var (next, nextReplaced) = (0, 0)
        for index in indices {
            if nextReplaced < replaced.count, replaced[nextReplaced] == index {
                nextReplaced += 1
                continue
            }
            while next < computed.count, computed[next].comes(before: self[index]) {
                merged.append(computed[next])
                next += 1
            }
            merged.append(self[index])
        }
        merged += computed[next...]
        self = merged
    }
}

extension DayBest {
    fileprivate func isOfSameDay(as other: DayBest) -> Bool { day == other.day && owner == other.owner }

    fileprivate func comes(before other: DayBest) -> Bool { (owner, day) < (other.owner, other.day) }
}
