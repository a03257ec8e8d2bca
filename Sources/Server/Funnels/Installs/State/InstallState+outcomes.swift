import FlowEvents

// The outcomes of an install's events: the kernel's, of each actor and day the one that counts.
extension InstallState {
    /// The days of each funnel that added events, in order of time, can change the outcomes of; `nil` for none.
    func daysChanged(by added: [Evidence], _ rules: CountingRules) -> [ClosedRange<Day>?] {
        rules.funnels.indices.map { funnel in
            guard let first = added.first(where: { contents.match($0.content, funnel: funnel).isNeeded }),
                let last = added.last(where: { contents.match($0.content, funnel: funnel).isNeeded })
            else { return nil }
            return rules.days(changedBy: first.time...last.time, funnel: funnel)
        }
    }

    /// Works out the outcomes of some days again.
    ///
    /// The state must have all recent events of these days. Archived outcomes stay.
    ///
    /// - Parameter days: the days by funnel; `nil` for none.
    mutating func updateOutcomes(_ rules: CountingRules, days: [ClosedRange<Day>?]) {
        computed.removeAll(keepingCapacity: true)
        for funnel in rules.funnels.indices {
            if let days = days[funnel] { appendOutcomes(rules, funnel: funnel, days: days) }
        }
        computed.sortByOwner()
        replaceResults(of: days)
    }

    /// Replaces the outcomes of some days by those in ``computed``.
    private mutating func replaceResults(of days: [ClosedRange<Day>?]) {
        if results.isEmpty {
            results = computed
            return
        }
        merged.removeAll(keepingCapacity: true)
        merged.reserveCapacity(results.count + computed.count)
        var next = 0
        for outcome in results {
            if !outcome.isArchived, let days = days[outcome.owner.funnel], days.contains(outcome.day) { continue }
            while next < computed.count, computed[next].precedes(outcome) {
                merged.append(computed[next])
                next += 1
            }
            merged.append(outcome)
        }
        merged += computed[next...]
        swap(&results, &merged)
    }

    /// Appends the outcomes of some days of a funnel to ``computed``.
    private mutating func appendOutcomes(_ rules: CountingRules, funnel: Int, days: ClosedRange<Day>) {
        let kernel = rules.kernel[funnel]
        let entered = kernel.isFirstOnly ? enteredActors(funnel, before: days.lowerBound) : []
        setActorEvents(rules, funnel: funnel, days: days)
        var calendar = rules.days[funnel]
        var start = 0
        var nextStart = 0
        while start < actorEvents.count {
            let actor = actorEvents[start].actor
            var end = start + 1
            while end < actorEvents.count, actorEvents[end].actor == actor { end += 1 }
            let next = kernel.hasNext ? nextEvents(of: actor, kernel, from: &nextStart) : 0..<0
            if entered.isEmpty || !entered.contains(actor) {
                self.kernel.begin(actorEvents[start..<end], nextEvents: nextEvents[next], by: kernel)
                appendOutcomes(rules, &calendar, funnel: funnel, actor: actor, days: days)
            }
            start = end
        }
        self.kernel.end()
    }

    /// The range of ``nextEvents`` that can tell where an actor went.
    ///
    /// - Parameter start: where the events of the next session begin, where sessions are counted.
    func nextEvents(
        of actor: CompactIndex<StringTable>,
        _ rules: FunnelRules,
        from start: inout Int
    ) -> Range<Int> {
        guard rules.actors == .sessions else { return nextEvents.indices }
        while start < nextEvents.count, nextEvents[start].actor < actor { start += 1 }
        let first = start
        while start < nextEvents.count, nextEvents[start].actor == actor { start += 1 }
        return first..<start
    }

    /// Sets ``actorEvents`` to the events of a funnel that outcomes of these days can consist of, one actor after another, and
    /// ``nextEvents`` to those that tell where somebody went, one session after another where sessions are counted.
    mutating func setActorEvents(_ rules: CountingRules, funnel: Int, days: ClosedRange<Day>) {
        let (kernel, values) = (rules.kernel[funnel], rules.matcher.values[funnel])
        let times = rules.times(of: days, funnel: funnel)
        actorEvents.removeAll(keepingCapacity: true)
        nextEvents.removeAll(keepingCapacity: true)
        for offset in evidence.partitioningIndex(where: { $0.time >= times.lowerBound })..<evidence.count {
            let event = evidence[offset]
            guard event.time <= times.upperBound else { break }
            let match = contents.match(event.content, funnel: funnel)
            guard match.isNeeded else { continue }
            let actor =
                match.takesPart || kernel.actors == .sessions
                ? actor(of: event, kernel, values) : CompactIndex(wrappedValue: nil)
            // An event without a session takes no part in a funnel of sessions.
            if kernel.actors == .sessions, actor.wrappedValue == nil { continue }
            let actorEvent = ActorEvent(
                time: event.time,
                sequence: event.sequence,
                match: match,
                event: Int32(offset),
                actor: actor
            )
            if match.takesPart { actorEvents.append(actorEvent) }
            if match.isNext { nextEvents.append(actorEvent) }
        }
        actorEvents.sortByLowestStep()
        actorEvents.groupByActor()
        nextEvents.sortByLowestStep()
        if kernel.actors == .sessions { nextEvents.groupByActor() }
    }

    /// Appends the outcomes that count of the kernel's actor, by part and day: of all its attempts, and of those of each
    /// breakdown value.
    private mutating func appendOutcomes(
        _ rules: CountingRules,
        _ calendar: inout FunnelDays,
        funnel: Int,
        actor: CompactIndex<StringTable>,
        days: ClosedRange<Day>
    ) {
        let values = rules.matcher.values[funnel]
        // The indices in `computed` of the latest outcome of all attempts, and of those of each breakdown value. Most attempts
        // have the value of the one before.
        var latest: Int?
        var latestByValue: [StringTable.Index: Int] = [:]
        var last: (value: StringTable.Index, index: Int)?
        while let outcome = kernel.next() {
            let event = kernel.event(of: 0)
            let day = calendar.day(of: event.time)
            guard days.contains(day) else {
                if rules.kernel[funnel].isFirstOnly || day.number > days.upperBound.number + 1 { return }
                continue
            }
            let value = values.breakdown.isEmpty ? nil : breakdownValue(of: outcome, values)
            // Both outcomes have the same times and details, which are appended once. The outcome of all attempts has one
            // detail more: the value, after the others.
            var best = DayOutcome(
                owner: DayOutcome.Owner(funnel: funnel, actor, CompactIndex(wrappedValue: nil)),
                day: day,
                outcome,
                details: details.end
            )
            best.isOutOfOrder = calendar.isOutOfOrder(event.time)
            best.isArchived = event.time <= archivedTime
            let detailCount = rules.kernel[funnel].sumCount(of: outcome.steps) + (kernel.nextEvent == nil ? 0 : 1)
            best.detailCount = detailCount + (value == nil ? 0 : 1)
            let isBest = computed.improve(&latest, best)
            var needsDetails = isBest
            if let value {
                best.owner.value = value
                best.detailCount = detailCount
                if let other = last, other.value != value {
                    latestByValue[other.value] = other.index
                    last = latestByValue[value].map { (value, $0) }
                }
                var index = last?.index
                if computed.improve(&index, best) { needsDetails = true }
                last = index.map { (value, $0) }
            }
            if needsDetails { appendDetails(of: outcome, values) }
            if isBest, let value { details.append(OutcomeDetail(subject: .value, text: value)) }
        }
    }

    /// What the parts of a breakdown show of the kernel's current outcome.
    mutating func breakdownValue(of outcome: Outcome, _ values: FunnelValues) -> StringTable.Index {
        if !values.hasListValues { return text(of: values.breakdown[0], outcome) }
        partTexts.removeAll(keepingCapacity: true)
        for part in values.breakdown { partTexts.append(text(of: part, outcome)) }
        if let last = lastList, last.parts == partTexts { return last.list }
        let list = strings.intern(JSONTextList.encode(partTexts.map { String(decoding: strings[$0], as: UTF8.self) }))
        lastList = (partTexts, list)
        return list
    }

    private mutating func text(of part: FunnelValues.Part, _ outcome: Outcome) -> StringTable.Index {
        guard outcome.meets(part.step) else { return strings.intern(Breakdown.notReached.utf8) }
        return text(part.field, of: evidence[Int(kernel.event(of: part.step).event)].content)
    }

    /// Appends the times and the details of the kernel's current outcome.
    private mutating func appendDetails(of outcome: Outcome, _ values: FunnelValues) {
        let start = kernel.event(of: 0).time
        for step in StepIndices(outcome.steps & ~1) { details.append(time: kernel.event(of: step).time - start) }
        for sum in values.sums where outcome.meets(sum.step) {
            let event = evidence[Int(kernel.event(of: sum.step).event)]
            details.append(detail(sum, of: event.content))
        }
        if let field = values.next, let next = kernel.nextEvent {
            let place = text(field, of: evidence[next].content)
            details.append(OutcomeDetail(subject: .next(rank: outcome.rank), text: place))
        }
    }
}

// First entries.
extension InstallState {
    /// The actors of a funnel that counts first entries only whose first event is on an earlier day, or in a block that
    /// the state does not have. Each has an outcome of it, however long ago its events were removed.
    private func enteredActors(_ funnel: Int, before day: Day) -> Set<CompactIndex<StringTable>> {
        var actors: Set<CompactIndex<StringTable>> = []
        for owner in entered where owner.funnel == funnel { actors.insert(owner.$actor) }
        for outcome in results where outcome.owner.funnel == funnel && outcome.owner.value == nil {
            if outcome.day < day { actors.insert(outcome.owner.$actor) }
        }
        return actors
    }

    /// Sets ``entered`` to the actors of funnels that count first entries only whose first event is in the blocks.
    ///
    /// - Parameter index: the index of the blocks, which the state does not have.
    /// - Returns: whether that could be found out without the blocks.
    mutating func findEntered(_ rules: CountingRules, _ index: HistoryIndex) -> Bool {
        entered = []
        for (funnel, kernel) in rules.kernel.enumerated() where kernel.isFirstOnly {
            var actors: Set<CompactIndex<StringTable>> = []
            for event in evidence where contents.match(event.content, funnel: funnel).steps & 1 != 0 {
                let actor = actor(of: event, kernel, rules.matcher.values[funnel])
                guard actors.insert(actor).inserted else { continue }
                let owner = DayOutcome.Owner(funnel: funnel, actor, CompactIndex(wrappedValue: nil))
                if results.contains(where: { $0.owner == owner && $0.isArchived }) {
                    entered.insert(owner)
                } else if index.mayContain(fingerprint(owner)) {
                    return false
                }
            }
        }
        return true
    }
}

extension [DayOutcome] {
    /// Adds an attempt: to the owner's outcome of the attempt's day and part, else as a new outcome.
    ///
    /// - Parameters:
    ///   - latest: the index of the owner's outcome of its latest day.
    ///   - best: the attempt as an outcome.
    /// - Returns: whether the attempt is an outcome now.
    fileprivate mutating func improve(_ latest: inout Int?, _ best: DayOutcome) -> Bool {
        var index = latest
        // Where clocks go back over midnight, an earlier day comes again.
        let isEarlier = latest.map { best.day < self[$0].day } ?? false
        if isEarlier { index = lastIndex { $0.isOfSameDay(as: best) && $0.isArchived == best.isArchived } }
        guard let index, self[index].day == best.day, self[index].isArchived == best.isArchived else {
            append(best)
            if !isEarlier { latest = count - 1 }
            return true
        }
        // Of two attempts of the same rank, the earlier one counts.
        guard best.rank > self[index].rank else { return false }
        self[index] = best
        return true
    }
}
