import FlowEvents

extension InstallState {
    /// The actor of an event that takes part in a funnel; `nil` where installs are counted.
    func actor(of event: Evidence, _ actors: InstallRules.FunnelRules.Actors, index: Int) -> CompactIndex<StringTable> {
        switch actors {
        case .installs: CompactIndex(wrappedValue: nil)
        case .sessions: event.$session
        case .values: signatures.actor(event.signature, funnel: index)
        }
    }

    /// Sets ``attempts`` to the events that match a step or an exclusion of a funnel and can be part of attempts of these
    /// days.
    mutating func setAttempts(_ rules: InstallRules, index: Int, days: ClosedRange<Day>) {
        let plan = rules.plans[index]
        let first = rules.days[index].start(of: days.lowerBound)
        let last = rules.days[index].end(of: days.upperBound) + plan.window
        attempts.removeAll()
        for offset in evidence.partitioningIndex(where: { $0.time >= first })..<evidence.count {
            let event = evidence[offset]
            guard event.time <= last else { break }
            let mask = signatures.mask(event.signature, funnel: index)
            let exclusions = plan.hasExclusions ? signatures.exclusions(event.signature, funnel: index) : 0
            guard mask | exclusions != 0 else { continue }
            attempts.append(
                Attempts.Event(
                    time: event.time,
                    sequence: event.sequence,
                    mask: mask,
                    exclusions: exclusions,
                    signature: event.signature,
                    actor: actor(of: event, plan.actors, index: index)
                )
            )
        }
        attempts.sort()
    }

    /// Sets ``entered`` to the actors of funnels that count first entries only whose first event is in the blocks.
    ///
    /// - Parameter catalog: the catalog of the blocks, which the state does not have.
    /// - Returns: whether the catalog was enough.
    mutating func findEntered(_ rules: InstallRules, _ catalog: CatalogView) throws(DamagedBytes) -> Bool {
        entered = []
        for (index, plan) in rules.plans.enumerated() where plan.isFirstOnly {
            var actors: Set<CompactIndex<StringTable>> = []
            for event in evidence where signatures.mask(event.signature, funnel: index) & 1 != 0 {
                let actor = actor(of: event, plan.actors, index: index)
                guard actors.insert(actor).inserted else { continue }
                let owner = DayBest.Owner(funnel: index, actor: actor.wrappedValue, value: nil)
                if try catalog.actor(owner, strings: &strings, &details) != nil {
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
    /// What the current one of some attempts adds to the sums of the steps that it met.
    func appendAmounts(of attempts: Attempts, funnel: Int, to details: inout ResultDetails) {
        for sum in layout.sums[funnel] {
            let step = layout.sumSteps[sum].trailingZeroBitCount
            guard step < attempts.depth else { break }
            details.append(amount(attempts.event(of: step).signature, sum: sum))
        }
    }

    /// The number of sums of the first steps of a funnel.
    func amountCount(depth: Int, funnel: Int) -> Int {
        layout.sums[funnel].count { layout.sumSteps[$0].trailingZeroBitCount < depth }
    }
}
