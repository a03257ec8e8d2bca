extension StepResult {
    /// Creates the figures of a step without its times.
    ///
    /// - Parameters:
    ///   - index: the index of the step in the funnel.
    ///   - counts: the number of actors that reached each step.
    ///   - extras: what the attempts have beside.
    init(_ index: Int, of funnel: Funnel, counts: [Int], extras: SummaryExtras = SummaryExtras()) {
        let step = funnel.steps[index]
        self.init(name: step.name, index: index, counts: counts, previous: funnel.previousRequired(index))
        let rank = funnel.rank(before: index)
        isOptional = step.isOptional
        if step.isOptional {
            nextStep = NextStepResult(index, of: funnel, counts: counts, extras.optionalStep(index - rank))
        } else if index < funnel.steps.count - 1 {
            if !funnel.exclusions.isEmpty { excluded = Int(extras.count(depth: rank + 1, ending: 1)) }
            if funnel.next != nil {
                let behind = funnel.steps[(index + 1)...].firstIndex { !$0.isOptional } ?? index
                next = NextPlaces(rank: rank + 1, actors: counts[index] - counts[behind], extras)
            }
        }
        if let sum = step.sum {
            let number = funnel.steps[..<index].count { $0.sum != nil }
            sums = StepSums(sum, number: number, actors: counts[0], extras)
        }
    }
}

extension NextStepResult {
    fileprivate init(_ index: Int, of funnel: Funnel, counts: [Int], _ step: SummaryExtras.OptionalStep) {
        let (met, wentOn) = (Int(step.met), Int(step.wentOn))
        let behind = funnel.steps[index...].firstIndex { !$0.isOptional } ?? index
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
    fileprivate init(rank: Int, actors: Int, _ extras: SummaryExtras) {
        var counts: [[UInt8]: Int64] = [:]
        for (key, count) in extras.next where key.rank == rank && count != 0 { counts[key.place] = count }
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
    ///   - number: the index of the sum among those of the funnel.
    ///   - actors: the number of actors of the first step.
    fileprivate init(_ sum: Sum, number: Int, actors: Int, _ extras: SummaryExtras) {
        self.init(decimals: sum.decimals, without: 0, units: [])
        for (key, value) in extras.sums.sorted(by: { $0.key < $1.key }) where key.sum == number && value.count != 0 {
            guard let unit = key.unit else {
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
    init?(_ funnel: Funnel, _ extras: SummaryExtras) {
        let depth = funnel.requiredStepCount
        guard depth > 1 else { return nil }
        self.init(counts: Self.captions.indices.map { Int(extras.count(depth: depth, ending: $0 + 1)) })
    }
}
