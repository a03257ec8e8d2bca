import FlowEvents

extension InstallState {
    /// Finds the attempt that an outcome is of: the first one of its day that ended like it.
    ///
    /// - Parameter best: an outcome of this state, which has all of its history.
    /// - Returns: the time of the attempt's first event; `nil` where some events of its day may be gone.
    mutating func attemptStart(of best: DayOutcome, _ rules: CountingRules) -> Int64? {
        let (funnel, day) = (best.owner.funnel, best.day)
        // A later attempt of the day can look like one whose events are gone.
        if let horizon = removed.horizon, day < rules.firstDay(changedFrom: horizon, funnel: funnel) { return nil }
        let (value, values) = (details.value(of: best), rules.matcher.values[funnel])
        setActorEvents(rules, funnel: funnel, days: day...day)
        guard let first = actorEvents.firstIndex(where: { $0.actor == best.owner.$actor }) else { return nil }
        let end = actorEvents[first...].firstIndex { $0.actor != best.owner.$actor } ?? actorEvents.count
        var nextStart = 0
        let hasNext = rules.kernel[funnel].hasNext
        let next = hasNext ? nextEvents(of: best.owner.$actor, rules.kernel[funnel], from: &nextStart) : 0..<0
        kernel.begin(actorEvents[first..<end], nextEvents: nextEvents[next], by: rules.kernel[funnel])
        defer { kernel.end() }
        var calendar = rules.days[funnel]
        while let outcome = kernel.next() {
            let start = kernel.event(of: 0).time
            guard calendar.day(of: start) == day, isLike(outcome, best) else { continue }
            if value == nil || value == breakdownValue(of: outcome, values) { return start }
        }
        return nil
    }

    /// Whether the kernel's current outcome has the steps, the times and the ending of another one.
    private func isLike(_ outcome: Outcome, _ best: DayOutcome) -> Bool {
        guard outcome == best.outcome else { return false }
        let start = kernel.event(of: 0).time
        return zip(StepIndices(outcome.steps & ~1), details.times(of: best)).allSatisfy { step, time in
            kernel.event(of: step).time - start == time
        }
    }
}
