extension ExperimentResult {
    /// What is counted of one variant.
    struct Tally: Sendable {
        /// The value of the breakdown.
        var value: String
        /// The number of actors that reached each step.
        var counts: [Int]
        /// The sums.
        var details = SummaryDetails()

        fileprivate var actors: Int { counts.first ?? 0 }
    }

    /// Compares variants.
    ///
    /// - Parameters:
    ///   - days: the settled days; `nil` where there are none.
    ///   - actors: the actors of the whole on these days.
    ///   - variantActors: the sum of the actors over all values of the breakdown.
    ///   - tallies: the values with actors. Values that are left out of a report can be missing.
    init(
        _ experiment: Experiment,
        of funnel: Funnel,
        days: (from: Day?, to: Day)?,
        actors: Int,
        variantActors: Int,
        _ tallies: [Tally]
    ) {
        self.init(
            from: days?.from,
            to: days?.to,
            control: experiment.control,
            crossed: variantActors - actors,
            sampleRatio: nil,
            variants: []
        )
        guard days != nil else { return }
        var known: [[UInt8]: Tally] = [:]
        for tally in tallies where tally.actors > 0 { known[Array(tally.value.utf8)] = tally }
        func tally(_ value: String) -> Tally {
            known[Array(value.utf8)] ?? Tally(value: value, counts: funnel.steps.map { _ in 0 })
        }
        let control = tally(experiment.control)
        var values = Set(known.keys).union(experiment.shares.map { Array($0.value.utf8) })
        values.remove(Array(experiment.control.utf8))
        let others = values.sorted { $0.lexicographicallyPrecedes($1) }
            .map { tally(String(decoding: $0, as: UTF8.self)) }
        let all = [control] + others
        sampleRatio = Self.sampleRatio(experiment, all.filter { $0.actors > 0 }, tally)
        let sums = funnel.steps.indices.filter { funnel.steps[$0].sum != nil }.flatMap { step in
            Set(all.flatMap { $0.details.values(of: .sum(step: step)).compactMap(\.text) })
                .sorted { $0.lexicographicallyPrecedes($1) }.map { (step: step, unit: $0) }
        }
        variants = all.enumerated().map { index, tally in
            Variant(
                value: tally.value,
                steps: Self.steps(tally, control: index == 0 ? nil : control, funnel),
                sums: sums.map { Self.sum($0.unit, of: $0.step, tally, control: index == 0 ? nil : control, funnel) }
            )
        }
    }

    private static func sampleRatio(
        _ experiment: Experiment,
        _ tallies: [Tally],
        _ tally: (String) -> Tally
    ) -> SampleRatio? {
        var groups = experiment.shares.map { share in
            SampleRatio.Group(value: share.value, count: tally(share.value).actors, weight: share.weight)
        }
        if groups.isEmpty {
            groups = tallies.sorted { $0.value.utf8.lexicographicallyPrecedes($1.value.utf8) }
                .map { SampleRatio.Group(value: $0.value, count: $0.actors, weight: 1) }
        }
        return ChiSquare.p(groups.map { ($0.count, $0.weight) }).map { SampleRatio(p: $0, groups: groups) }
    }

    private static func steps(_ tally: Tally, control: Tally?, _ funnel: Funnel) -> [Step] {
        funnel.steps.indices.map { index in
            let lift =
                index == 0
                ? nil
                : control.map { control in
                    Lift(tally.counts[index], of: tally.actors, control: control.counts[index], of: control.actors)
                }
            return Step(
                name: funnel.steps[index].name,
                count: tally.counts[index],
                conversionFromFirst: Ratio(tally.counts[index], of: tally.actors),
                lift: lift
            )
        }
    }

    private static func sum(
        _ unit: [UInt8],
        of index: Int,
        _ tally: Tally,
        control: Tally?,
        _ funnel: Funnel
    ) -> Sum {
        let step = funnel.steps[index]
        let decimals = step.sum?.decimals ?? 0
        func moments(_ tally: Tally) -> Moments? {
            let value = tally.details.values[SummaryDetails.Key(subject: .sum(step: index), text: unit)]
            return Moments(value ?? SummaryDetails.Value(), of: tally.actors, decimals: decimals)
        }
        let own = moments(tally)
        var sum = Sum(
            step: step.name,
            unit: String(decoding: unit, as: UTF8.self),
            perActor: own.map { ActorMean.rounded($0.mean) }
        )
        guard let control, let own, let other = moments(control) else { return sum }
        let difference = own.mean - other.mean
        sum.difference = ActorMean.rounded(difference)
        guard min(tally.actors, control.actors) >= ScoreInterval.leastCount else { return sum }
        // Welch: both variances are estimated on their own.
        let errors = own.standardError * own.standardError + other.standardError * other.standardError
        let spread = NormalQuantile.of95Percent * errors.squareRoot()
        sum.differenceInterval = ActorMean.rounded(difference - spread)...ActorMean.rounded(difference + spread)
        return sum
    }
}
