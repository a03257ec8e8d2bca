import FlowEvents

extension InstallState {
    /// Computes the results again that evidence from `earliest` on can have changed.
    mutating func updateResults(_ rules: CountingRules, from earliest: Int64) {
        let times = earliest...Self.times.upperBound
        updateResults(rules, days: rules.funnels.indices.map { rules.days(changedBy: times, funnel: $0) })
    }

    /// Computes the results again that added evidence, in order of time, can have changed: those of the funnels that it
    /// takes part in.
    ///
    /// - Returns: the changes of the recent results.
    @discardableResult
    mutating func updateResults(_ rules: CountingRules, added: [Evidence]) -> ResultChanges {
        let days = rules.funnels.indices.map { funnel -> ClosedRange<Day>? in
            guard let first = added.first(where: { contents.match($0.content, funnel: funnel).isNeeded }),
                let last = added.last(where: { contents.match($0.content, funnel: funnel).isNeeded })
            else { return nil }
            return rules.days(changedBy: first.time...last.time, funnel: funnel)
        }
        return updateResults(rules, days: days)
    }

    /// Computes the results of some days again, for each funnel its own, and stores each with the part that the
    /// attempt's first event belongs to.
    ///
    /// - Parameter days: the days by funnel; `nil` for none.
    /// - Returns: the changes of the recent results.
    @discardableResult
    mutating func updateResults(_ rules: CountingRules, days: [ClosedRange<Day>?]) -> ResultChanges {
        while computed.count <= blocks.count { computed.append([]) }
        for part in 0...blocks.count { computed[part].removeAll(keepingCapacity: true) }
        for index in rules.funnels.indices {
            if let days = days[index] { appendResults(rules, index: index, days: days) }
        }
        for part in 0...blocks.count { computed[part].sortByOwner() }
        for part in blocks.indices {
            _ = blocks[part].results.replace(days: days, by: computed[part], &merged)
        }
        let recent = computed[blocks.count]
        let removed = results.replace(days: days, by: recent, &merged)
        return ResultChanges(days: days, removed: removed, added: recent)
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

    /// Appends the results of some days of a funnel to ``computed``.
    private mutating func appendResults(_ rules: CountingRules, index: Int, days: ClosedRange<Day>) {
        let kernel = rules.kernel[index]
        let entered = kernel.isFirstOnly ? enteredActors(index, before: days.lowerBound) : []
        setActorEvents(rules, funnel: index, days: days)
        var calendar = rules.days[index]
        var start = 0
        while start < actorEvents.count {
            let actor = actorEvents[start].actor
            var end = start + 1
            while end < actorEvents.count, actorEvents[end].actor == actor { end += 1 }
            if entered.isEmpty || !entered.contains(actor) {
                self.kernel.begin(actorEvents[start..<end], by: kernel)
                appendOutcomes(rules, &calendar, index: index, actor: actor, from: actorEvents[start].time, days: days)
            }
            start = end
        }
        self.kernel.end()
    }

    /// Appends the outcomes that count of one actor, by part and day: of all its attempts, and of those of each breakdown
    /// value.
    ///
    /// - Parameter time: the time of the actor's first event.
    private mutating func appendOutcomes(
        _ rules: CountingRules,
        _ calendar: inout FunnelDays,
        index: Int,
        actor: CompactIndex<StringTable>,
        from time: Int64,
        days: ClosedRange<Day>
    ) {
        let values = rules.matcher.values[index]
        // The indices in the part's results of the latest day of all attempts, and of those of each breakdown value.
        // Most attempts have the value of the one before.
        var latest: Int?
        var latestByValue: [StringTable.Index: Int] = [:]
        var last: (value: StringTable.Index, index: Int)?
        var part = part(of: time)
        while let outcome = kernel.next() {
            let event = kernel.event(of: 0)
            let day = calendar.day(of: event.time)
            guard days.contains(day) else {
                if rules.kernel[index].isFirstOnly || day.number > days.upperBound.number + 1 { return }
                continue
            }
            while part < blocks.count, blocks[part].lastTime < event.time {
                part += 1
                (latest, last) = (nil, nil)
                latestByValue.removeAll()
            }
            // Both results have the same details, which are appended where one of them is needed.
            var best = DayOutcome(
                owner: DayOutcome.Owner(funnel: index, actor, CompactIndex(wrappedValue: nil)),
                day: day,
                steps: outcome.steps,
                rank: outcome.rank,
                details: details.end
            )
            best.endingCode = outcome.ending.code
            best.isOutOfOrder = calendar.isOutOfOrder(event.time)
            if !values.sums.isEmpty { best.amountCount = values.sumCount(of: outcome.steps) }
            var isBest = computed[part].improve(&latest, best)
            if let field = values.breakdown {
                let value = text(field, of: evidence[Int(event.event)].content)
                best.owner.value = value
                if let other = last, other.value != value {
                    latestByValue[other.value] = other.index
                    last = latestByValue[value].map { (value, $0) }
                }
                var index = last?.index
                if computed[part].improve(&index, best) { isBest = true }
                last = index.map { (value, $0) }
            }
            if isBest { appendDetails(of: outcome, values) }
        }
    }

    /// Appends the times and the amounts of the kernel's current outcome.
    private mutating func appendDetails(of outcome: Outcome, _ values: FunnelValues) {
        let start = kernel.event(of: 0).time
        var rest = outcome.steps & ~1
        while rest != 0 {
            details.append(time: kernel.event(of: rest.trailingZeroBitCount).time - start)
            rest &= rest - 1
        }
        for sum in values.sums where outcome.steps & 1 << UInt32(sum.step) != 0 {
            let event = evidence[Int(kernel.event(of: sum.step).event)]
            details.append(amount(sum, of: event.content))
        }
    }
}

extension [DayOutcome] {
    /// Adds an attempt: to the owner's result of the attempt's day, else as a new result.
    ///
    /// - Parameters:
    ///   - latest: the index of the owner's result of its latest day.
    ///   - best: the attempt as a result.
    /// - Returns: whether the attempt is a result now.
    fileprivate mutating func improve(_ latest: inout Int?, _ best: DayOutcome) -> Bool {
        var index = latest
        // Where clocks go back over midnight, an earlier day comes again.
        let isEarlier = latest.map { best.day < self[$0].day } ?? false
        if isEarlier { index = lastIndex { $0.isOfSameDay(as: best) } }
        guard let index, self[index].day == best.day else {
            append(best)
            if !isEarlier { latest = count - 1 }
            return true
        }
        // Of two attempts of the same rank, the earlier one counts.
        guard best.rank > self[index].rank else { return false }
        self[index] = best
        return true
    }

    /// Replaces the results of some days, in order of owner, then day.
    ///
    /// - Parameters:
    ///   - days: the days by funnel.
    ///   - computed: the results of these days.
    ///   - merged: memory for the new results; it is swapped with that of the old ones.
    /// - Returns: the results that were there before.
    fileprivate mutating func replace(
        days: [ClosedRange<Day>?],
        by computed: [DayOutcome],
        _ merged: inout [DayOutcome]
    ) -> [DayOutcome] {
        if isEmpty {
            self = computed
            return []
        }
        var removed: [DayOutcome] = []
        removed.reserveCapacity(computed.count)
        merged.removeAll(keepingCapacity: true)
        merged.reserveCapacity(count + computed.count)
        var next = 0
        for best in self {
            if let days = days[best.owner.funnel], days.contains(best.day) {
                removed.append(best)
                continue
            }
            while next < computed.count, computed[next].precedes(best) {
                merged.append(computed[next])
                next += 1
            }
            merged.append(best)
        }
        for index in next..<computed.count { merged.append(computed[index]) }
        swap(&self, &merged)
        return removed
    }
}
