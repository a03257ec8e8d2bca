import FlowEvents

extension InstallState {
    /// The actor of an event that takes part in a funnel; `nil` where installs are counted.
    func actor(of event: Evidence, _ counting: Counting, index: Int) -> CompactIndex<StringTable> {
        switch counting {
        case .installs: CompactIndex(wrappedValue: nil)
        case .sessions: event.$session
        case .by: signatures.actor(event.signature, funnel: index)
        }
    }

    /// The events that match a step or an exclusion of a funnel and can be part of attempts of these days, in the
    /// funnel's order.
    func matching(_ rules: InstallRules, index: Int, days: ClosedRange<Day>) -> [Evidence] {
        let calendar = rules.days[index]
        let first = calendar.start(of: days.lowerBound)
        let last = calendar.end(of: days.upperBound) + rules.windows[index]
        let start = evidence.partitioningIndex { $0.time >= first }
        let end = evidence[start...].partitioningIndex { $0.time > last }
        var events: [Evidence] = []
        events.reserveCapacity(end - start)
        for event in evidence[start..<end] where signatures.takesPart(event.signature, funnel: index) {
            events.append(event)
        }
        sortByLowestStep(&events, index)
        return events
    }

    /// Among equal times and sequences, the lowest step decides before the id and the source.
    private func sortByLowestStep(_ events: inout [Evidence], _ index: Int) {
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
                    (lowestStep($0.element, index), $0.offset) < (lowestStep($1.element, index), $1.offset)
                }
                events.replaceSubrange(start..<end, with: run.map(\.element))
            }
            start = end
        }
    }

    private func lowestStep(_ event: Evidence, _ funnel: Int) -> Int {
        let mask = signatures.mask(event.signature, funnel: funnel)
        // An event that matches an exclusion only comes before all steps.
        return mask == 0 ? -1 : mask.trailingZeroBitCount
    }

    /// Sets ``attempts`` to the attempts that the events of one actor form.
    mutating func setAttempts(_ events: ArraySlice<Evidence>, _ rules: InstallRules, index: Int) {
        let hasExclusions = signatures.layout.hasExclusions[index]
        attempts.reset(
            stepCount: rules.funnels[index].steps.count,
            window: rules.windows[index],
            hasExclusions: hasExclusions
        )
        for event in events {
            let mask = signatures.mask(event.signature, funnel: index)
            if hasExclusions {
                let exclusions = signatures.exclusions(event.signature, funnel: index)
                attempts.append(time: event.time, mask: mask, exclusions: exclusions)
            } else {
                attempts.append(time: event.time, mask: mask)
            }
        }
    }

    /// Sets ``entered`` to the actors of funnels that count first entries only whose first event is in the blocks.
    ///
    /// - Parameter catalog: the catalog of the blocks, which the state does not have.
    /// - Returns: whether the catalog was enough.
    mutating func findEntered(_ rules: InstallRules, _ catalog: CatalogView) throws(DamagedBytes) -> Bool {
        entered = []
        for (index, funnel) in rules.funnels.enumerated() where funnel.entry == .first {
            var actors: Set<CompactIndex<StringTable>> = []
            for event in evidence where signatures.mask(event.signature, funnel: index) & 1 != 0 {
                let actor = actor(of: event, funnel.count, index: index)
                guard actors.insert(actor).inserted else { continue }
                let owner = DayBest.Owner(funnel: index, actor: actor.wrappedValue, value: nil)
                if try catalog.actor(owner, strings: &strings) != nil {
                    entered.insert(owner)
                } else if catalog.mayContain(fingerprint(owner)) {
                    return false
                }
            }
        }
        return true
    }
}

extension SignatureTable {
    /// What an attempt adds to the sums of the steps that it met.
    ///
    /// - Parameter events: the events of the actor.
    func amounts(of attempt: Attempts.Attempt, _ events: ArraySlice<Evidence>, funnel: Int) -> [StepAmount] {
        var amounts: [StepAmount] = []
        for sum in layout.sums[funnel] {
            let step = layout.sumSteps[sum].trailingZeroBitCount
            guard step < attempt.depth else { break }
            let event = events[events.startIndex + attempt.events[step]]
            amounts.append(amount(event.signature, sum: sum))
        }
        return amounts
    }
}
