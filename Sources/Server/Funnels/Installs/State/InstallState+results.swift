import FlowEvents

extension InstallState {
    /// Computes the results again that evidence from `earliest` on can have changed.
    mutating func updateResults(_ rules: InstallRules, from earliest: Int64) {
        let days = rules.plans.indices.map {
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
        let days = rules.plans.indices.map { index -> ClosedRange<Day>? in
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
        return first...(rules.plans[index].isFirstOnly ? lastDay : rules.days[index].lastDay(through: times.upperBound))
    }

    private static let lastDay = Day(number: days.upperBound)

    /// Computes the results of some days again, for each funnel its own, and stores each with the part that the
    /// attempt's first event belongs to.
    ///
    /// - Parameter days: the days by funnel; `nil` for none.
    /// - Returns: the changes of the recent results.
    @discardableResult
    mutating func updateResults(_ rules: InstallRules, days: [ClosedRange<Day>?]) -> ResultChanges {
        while computed.count <= blocks.count { computed.append([]) }
        for part in 0...blocks.count { computed[part].removeAll(keepingCapacity: true) }
        for index in rules.plans.indices {
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
    private mutating func appendResults(_ rules: InstallRules, index: Int, days: ClosedRange<Day>) {
        let plan = rules.plans[index]
        let entered = plan.isFirstOnly ? enteredActors(index, before: days.lowerBound) : []
        setAttempts(rules, index: index, days: days)
        var calendar = rules.days[index]
        var start = 0
        while start < attempts.events.count {
            let actor = attempts.events[start].actor
            let end = attempts.begin(at: start, plan)
            let hasActor = plan.actors == .installs || actor.wrappedValue != nil
            if hasActor, entered.isEmpty || !entered.contains(actor) {
                appendAttempts(plan, &calendar, index: index, actor: actor, at: start, days: days)
            }
            start = end
        }
    }

    /// Appends the best attempts of one actor by part and day: of all its attempts, and of those of each breakdown
    /// value.
    ///
    /// - Parameter start: the index of the actor's first event.
    private mutating func appendAttempts(
        _ plan: InstallRules.FunnelRules,
        _ calendar: inout FunnelDays,
        index: Int,
        actor: CompactIndex<StringTable>,
        at start: Int,
        days: ClosedRange<Day>
    ) {
        // The indices in the part's results of the latest day of all attempts, and of those of each breakdown value.
        // Most attempts have the value of the one before.
        var latest: Int?
        var latestByValue: [StringTable.Index: Int] = [:]
        var last: (value: StringTable.Index, index: Int)?
        var part = part(of: attempts.events[start].time)
        while attempts.advance() {
            let event = attempts.first
            let day = calendar.day(of: event.time)
            guard days.contains(day) else {
                if plan.isFirstOnly || day.number > days.upperBound.number + 1 { return }
                continue
            }
            while part < blocks.count, blocks[part].lastTime < event.time {
                part += 1
                (latest, last) = (nil, nil)
                latestByValue.removeAll()
            }
            // Both results have the same details, which are appended where one of them is needed.
            var best = DayBest(
                owner: DayBest.Owner(funnel: index, actor, CompactIndex(wrappedValue: nil)),
                day: day,
                depth: attempts.depth,
                details: details.end
            )
            best.ending = attempts.ending
            best.isOutOfOrder = calendar.isOutOfOrder(event.time)
            if plan.hasSums { best.amountCount = signatures.amountCount(depth: attempts.depth, funnel: index) }
            var isBest = computed[part].improve(&latest, best)
            if let value = signatures.value(event.signature, funnel: index) {
                best.owner.value = value
                if let other = last, other.value != value {
                    latestByValue[other.value] = other.index
                    last = latestByValue[value].map { (value, $0) }
                }
                var index = last?.index
                if computed[part].improve(&index, best) { isBest = true }
                last = index.map { (value, $0) }
            }
            if isBest {
                for time in attempts.stepTimes { details.append(time: time) }
                if plan.hasSums { signatures.appendAmounts(of: attempts, funnel: index, to: &details) }
            }
            if plan.isFirstOnly { return }
        }
    }
}

extension [DayBest] {
    /// Adds an attempt: to the owner's result of the attempt's day, else as a new result.
    ///
    /// - Parameters:
    ///   - latest: the index of the owner's result of its latest day.
    ///   - best: the attempt as a result.
    /// - Returns: whether the attempt is a result now.
    fileprivate mutating func improve(_ latest: inout Int?, _ best: DayBest) -> Bool {
        var index = latest
        // Where clocks go back over midnight, an earlier day comes again.
        let isEarlier = latest.map { best.day < self[$0].day } ?? false
        if isEarlier { index = lastIndex { $0.isOfSameDay(as: best) } }
        guard let index, self[index].day == best.day else {
            append(best)
            if !isEarlier { latest = count - 1 }
            return true
        }
        // Of two attempts of the same depth, the earlier one counts.
        guard best.depth > self[index].depth else { return false }
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
        by computed: [DayBest],
        _ merged: inout [DayBest]
    ) -> [DayBest] {
        if isEmpty {
            self = computed
            return []
        }
        var removed: [DayBest] = []
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
