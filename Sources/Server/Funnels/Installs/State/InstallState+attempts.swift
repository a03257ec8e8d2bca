import FlowEvents

extension InstallState {
    /// Sets ``actorEvents`` to the events of a funnel that outcomes of these days can consist of, one actor after another.
    mutating func setActorEvents(_ rules: CountingRules, funnel: Int, days: ClosedRange<Day>) {
        let (kernel, values) = (rules.kernel[funnel], rules.matcher.values[funnel])
        let times = rules.times(of: days, funnel: funnel)
        actorEvents.removeAll(keepingCapacity: true)
        for offset in evidence.partitioningIndex(where: { $0.time >= times.lowerBound })..<evidence.count {
            let event = evidence[offset]
            guard event.time <= times.upperBound else { break }
            let match = contents.match(event.content, funnel: funnel)
            guard match.takesPart else { continue }
            let actor = actor(of: event, kernel, values)
            // An event without a session takes no part in a funnel of sessions.
            if kernel.actors != .installs, actor.wrappedValue == nil { continue }
            actorEvents.append(
                ActorEvent(
                    time: event.time,
                    sequence: event.sequence,
                    match: match,
                    event: Int32(offset),
                    actor: actor
                )
            )
        }
        actorEvents.sortByLowestStep()
        actorEvents.groupByActor()
    }

    /// Sets ``entered`` to the actors of funnels that count first entries only whose first event is in the blocks.
    ///
    /// - Parameter catalog: the catalog of the blocks, which the state does not have.
    /// - Returns: whether the catalog was enough.
    mutating func findEntered(_ rules: CountingRules, _ catalog: CatalogView) throws(DamagedBytes) -> Bool {
        entered = []
        for (index, kernel) in rules.kernel.enumerated() where kernel.isFirstOnly {
            var actors: Set<CompactIndex<StringTable>> = []
            for event in evidence where contents.match(event.content, funnel: index).steps & 1 != 0 {
                let actor = actor(of: event, kernel, rules.matcher.values[index])
                guard actors.insert(actor).inserted else { continue }
                let owner = DayOutcome.Owner(funnel: index, actor: actor.wrappedValue, value: nil)
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
