import FlowEvents

/// Finds the actors of a query in the rows of installs, one row after another.
///
/// The results of an install's row say on which days its actors count, also where their events were removed, and a report is
/// the sum of these results. So the number of actors is the report's figure.
package struct ActorSearch {
    private let query: ActorQuery
    private let funnel: Funnel
    private let rules: CountingRules
    private let range: DayRange
    private var state: InstallState
    private var gaps = DayGapsSearch()

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - query: which actors.
    ///   - funnels: the funnels that the store counts.
    ///   - timeZones: the transitions that the store keeps of their time zones.
    ///   - range: the entry days.
    package init(_ query: ActorQuery, funnels: [Funnel], timeZones: TimeZoneTables, in range: DayRange) {
        self.query = query
        funnel = funnels[query.funnel]
        rules = CountingRules(funnels: funnels, bounds: FunnelBounds(), timeZones: timeZones)
        self.range = range
        state = InstallState(rules.matcher)
    }

    /// Returns the actors of an install, in order of the actors' bytes.
    ///
    /// - Parameter row: the row with all of its history.
    /// - Throws: ``DamagedState`` where it cannot be read.
    package mutating func actors(of row: StoredInstall) throws(DamagedState) -> [FunnelActor] {
        state.removeAll()
        do {
            try state.decode(row)
        } catch {
            throw DamagedState(row)
        }
        let own = state.results.counting().filter { result in
            guard result.owner.funnel == query.funnel else { return false }
            guard let value = query.value else { return result.owner.value == nil }
            return result.owner.value.map { Array(state.strings[$0]) == value } ?? false
        }
        var actors: [FunnelActor] = []
        var rest = own[...]
        while let owner = rest.first?.owner {
            let days = rest.prefix { $0.owner == owner }
            rest = rest[days.endIndex...]
            guard let best = counted(days), counts(best) else { continue }
            actors.append(actor(best, row))
        }
        return actors.sorted { left, right in
            (left.actor ?? "").utf8.lexicographicallyPrecedes((right.actor ?? "").utf8)
        }
    }

    /// The outcome of an actor that counts in the range: the earliest of the greatest rank.
    private mutating func counted(_ days: ArraySlice<DayOutcome>) -> DayOutcome? {
        gaps.find(days)
        for (result, gaps) in zip(days, gaps.gaps) where range.contains(result.day) {
            let day = Int64(result.day.number)
            let isFirst = gaps.previous == 0 || (range.from.map { day - Int64(gaps.previous) < $0.number } ?? false)
            let isGreatest = gaps.next == 0 || (range.to.map { day + Int64(gaps.next) > $0.number } ?? false)
            if isFirst, isGreatest { return result }
        }
        return nil
    }

    /// Whether the actor is one of those that are asked for.
    private func counts(_ best: DayOutcome) -> Bool {
        let hasMet = best.outcome.meets(query.step)
        guard query.kind == .dropped else { return hasMet }
        return !hasMet && best.outcome.meets(funnel.previousRequired(query.step))
    }

    private mutating func actor(_ best: DayOutcome, _ row: StoredInstall) -> FunnelActor {
        let value = state.details.value(of: best)
        return FunnelActor(
            install: String(decoding: row.install, as: UTF8.self),
            actor: best.owner.actor.map { String(decoding: state.strings[$0], as: UTF8.self) },
            day: best.day,
            startedAt: state.attemptStart(of: best, rules).map(Timestamp.init(milliseconds:)),
            stepsMet: best.rank,
            value: value.map { funnel.breakdownValue(Array(state.strings[$0])) }
        )
    }
}
