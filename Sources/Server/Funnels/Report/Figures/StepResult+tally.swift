extension StepResult {
    /// Creates the figures of a step without its times.
    ///
    /// - Parameters:
    ///   - index: the index of the step in the funnel.
    ///   - counts: the number of actors that reached each step.
    ///   - tally: what is counted.
    init(_ index: Int, of funnel: Funnel, counts: [Int], _ tally: FunnelTally) {
        let step = funnel.steps[index]
        self.init(name: step.name, index: index, counts: counts, previous: funnel.previousRequired(index))
        let rank = funnel.rank(before: index)
        isOptional = step.isOptional
        if step.isOptional {
            nextStep = NextStepResult(index, of: funnel, counts: counts, tally.outcomes)
        } else if index < funnel.steps.count - 1 {
            if !funnel.exclusions.isEmpty {
                excluded = tally.outcomes.attemptCount { $0.rank == rank + 1 && $0.ending == .excluded }
            }
            if funnel.next != nil {
                let behind = funnel.steps[(index + 1)...].firstIndex { !$0.isOptional } ?? index
                next = NextPlaces(rank: rank + 1, actors: counts[index] - counts[behind], tally.details)
            }
        }
        if let sum = step.sum {
            sums = StepSums(sum, step: index, actors: counts[0], tally.details)
        }
    }
}

extension NextStepResult {
    fileprivate init(_ index: Int, of funnel: Funnel, counts: [Int], _ outcomes: OutcomeCounts) {
        let met = counts[index]
        let behind = funnel.steps[index...].firstIndex { !$0.isOptional } ?? index
        let wentOn = outcomes.attemptCount { $0.meets(index) && $0.meets(behind) }
        let all = counts[funnel.previousRequired(index)]
        self.init(
            with: Conversion(count: wentOn, of: met),
            without: Conversion(count: counts[behind] - wentOn, of: all - met)
        )
    }
}

extension NextPlaces {
    /// - Parameters:
    ///   - rank: the number of required steps that the actors met.
    ///   - actors: the number of these actors.
    fileprivate init(rank: Int, actors: Int, _ details: SummaryDetails) {
        var counts: [[UInt8]: Int64] = [:]
        for (place, value) in details.values(of: .next(rank: rank)) { counts[place ?? []] = value.count }
        // A place can have this text, too.
        let nowhere = Int64(actors) &- counts.values.reduce(0, &+)
        if nowhere != 0 { counts[Array(NextEvent.nothing.utf8), default: 0] &+= nowhere }
        let sorted = counts.sorted { lhs, rhs in
            lhs.value != rhs.value ? lhs.value > rhs.value : lhs.key.lexicographicallyPrecedes(rhs.key)
        }
        self.init(
            places: sorted.prefix(Self.maximumCount).map { place, count in
                Place(value: String(decoding: place, as: UTF8.self), count: Int(count))
            },
            leftOutCount: max(0, sorted.count - Self.maximumCount)
        )
    }
}

extension StepSums {
    /// - Parameters:
    ///   - step: the index of the step.
    ///   - actors: the number of actors of the first step.
    fileprivate init(_ sum: Sum, step: Int, actors: Int, _ details: SummaryDetails) {
        self.init(decimals: sum.decimals, without: 0, units: [])
        for (unit, value) in details.values(of: .sum(step: step)) {
            guard let unit else {
                without = Int(value.count)
                continue
            }
            units.append(
                Unit(
                    unit: String(decoding: unit, as: UTF8.self),
                    sum: value.sum,
                    count: Int(value.count),
                    perActor: ActorMean(value, of: actors, decimals: sum.decimals)
                )
            )
        }
    }
}

extension EntryCounts {
    /// The entries of the attempts that met all required steps of a funnel; `nil` for a funnel of one step.
    init?(_ funnel: Funnel, _ outcomes: OutcomeCounts) {
        guard funnel.requiredStepCount > 1 else { return nil }
        self.init(
            counts: (1...Outcome.greatestEntryCount).map { entries in
                outcomes.attemptCount { $0.ending == .complete(entries: entries) }
            }
        )
    }
}
