import FlowEvents

// What a definition cannot say, whatever its own types allow.
extension Funnel {
    /// Checks everything but the name, the window and the names of the steps.
    func checkParts() throws(FunnelDefinitionError) {
        try checkAlternatives()
        try checkOptionalSteps()
        try checkSums()
        try checkExclusions()
        try checkConditions()
        try checkBreakdown()
        try checkExperiment()
    }

    private func checkAlternatives() throws(FunnelDefinitionError) {
        let counts = 1...EventFilter.maximumCount
        for step in steps where !counts.contains(step.alternatives.count) {
            throw .invalidAlternatives(funnel: name, step: step.name, count: step.alternatives.count)
        }
        for (index, exclusion) in exclusions.enumerated() where !counts.contains(exclusion.alternatives.count) {
            throw .invalidAlternatives(funnel: name, exclusion: index, count: exclusion.alternatives.count)
        }
    }

    private func checkOptionalSteps() throws(FunnelDefinitionError) {
        for step in [steps[0], steps[steps.count - 1]] where step.isOptional {
            throw .invalidOptionalStep(funnel: name, step: step.name)
        }
        let optional = steps.filter(\.isOptional)
        guard optional.count > Self.maximumOptionalStepCount else { return }
        throw .tooManyOptionalSteps(funnel: name, step: optional[Self.maximumOptionalStepCount].name, optional.count)
    }

    private func checkSums() throws(FunnelDefinitionError) {
        for step in steps {
            guard let sum = step.sum, !Sum.decimalsRange.contains(sum.decimals) else { continue }
            throw .invalidDecimals(funnel: name, step: step.name, decimals: sum.decimals)
        }
    }

    private func checkExclusions() throws(FunnelDefinitionError) {
        for (index, exclusion) in exclusions.enumerated() {
            for bound in [exclusion.from, exclusion.to].compactMap({ $0 }) {
                let required = steps.filter { !$0.isOptional }.map(\.name)
                guard let found = self.index(ofStep: bound) else {
                    throw .unknownStep(funnel: name, step: bound, exclusion: index, known: required)
                }
                guard steps[found].isOptional else { continue }
                throw .optionalBound(funnel: name, step: bound, exclusion: index, required: required)
            }
            guard gaps(of: exclusion) == 0 else { continue }
            let (first, last) = (exclusion.from ?? steps[0].name, exclusion.to ?? steps[steps.count - 1].name)
            throw .invalidExclusion(funnel: name, exclusion: index, from: first, to: last)
        }
    }

    private func checkConditions() throws(FunnelDefinitionError) {
        for condition in filters.flatMap(\.conditions) {
            guard condition.test.bound?.double.isNaN ?? false else { continue }
            throw .invalidBound(funnel: name, field: condition.field)
        }
    }

    private func checkBreakdown() throws(FunnelDefinitionError) {
        guard let breakdown else { return }
        guard (1...Breakdown.maximumPartCount).contains(breakdown.parts.count) else {
            throw .invalidPartCount(funnel: name, count: breakdown.parts.count)
        }
        for (index, part) in breakdown.parts.enumerated() {
            guard let step = part.step, self.index(ofStep: step) == nil else { continue }
            throw .unknownStep(funnel: name, step: step, part: index, known: steps.map(\.name))
        }
    }

    private func checkExperiment() throws(FunnelDefinitionError) {
        guard let experiment else { return }
        guard let breakdown else {
            throw .invalidExperiment(funnel: name, "expected a breakdown, whose values are the variants")
        }
        guard breakdown.parts.count == 1 else {
            throw .invalidExperiment(
                funnel: name,
                "expected a breakdown of one part, found \(breakdown.parts.count) parts"
            )
        }
        guard stepIndex(of: breakdown.parts[0]) == 0 else {
            throw .invalidExperiment(
                funnel: name,
                "expected a breakdown by a field of the first step, found one of '\(breakdown.parts[0].step ?? "")': "
                    + "who has not come so far would have no variant"
            )
        }
        guard !experiment.shares.isEmpty else { return }
        for (index, share) in experiment.shares.enumerated() {
            guard share.weight > 0, share.weight.isFinite else {
                throw .invalidExperiment(funnel: name, "share of '\(share.value)': expected a number of more than 0")
            }
            guard experiment.shares[..<index].contains(where: { $0.value == share.value }) else { continue }
            throw .invalidExperiment(funnel: name, "there are two shares of '\(share.value)': expected one")
        }
        guard !experiment.shares.contains(where: { $0.value == experiment.control }) else { return }
        let known = experiment.shares.map { "'\($0.value)'" }.joined(separator: ", ")
        throw .invalidExperiment(
            funnel: name,
            "control '\(experiment.control)' has no share: expected one of \(known), or a share for it"
        )
    }

    /// All filters by which the funnel chooses events.
    package var filters: [EventFilter] {
        steps.flatMap(\.alternatives) + exclusions.flatMap(\.alternatives) + (next.map { [$0.filter] } ?? [])
    }
}
