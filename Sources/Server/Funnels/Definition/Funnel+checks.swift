import FlowEvents

// What a definition cannot say, whatever its own types allow. Each rule stands beside the sentence that says what is wrong.
extension Funnel {
    /// Checks all that ``init(name:description:count:entry:window:breakdown:timeZone:exclusions:next:experiment:steps:)``
    /// throws for.
    func check() throws(FunnelDefinitionError) {
        try checkName()
        try checkWindow()
        try checkSteps()
        try checkAlternatives()
        try checkOptionalSteps()
        try checkSums()
        try checkExclusions()
        try checkConditions()
        try checkBreakdown()
        try checkExperiment()
    }

    private func mistake(
        _ code: FunnelDefinitionError.Code,
        step: String? = nil,
        exclusion: Int? = nil,
        part: Int? = nil,
        _ text: String
    ) -> FunnelDefinitionError {
        FunnelDefinitionError(code, in: name, step: step, exclusion: exclusion, part: part, text)
    }

    private func checkName() throws(FunnelDefinitionError) {
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard name.isEmpty || !isName else { return }
        let message = "funnel name '\(name)': expected one or more of letters, digits, '-', '_' and '.'"
        throw FunnelDefinitionError(.invalidName, funnel: name, message: message)
    }

    private func checkWindow() throws(FunnelDefinitionError) {
        guard !(1...Self.maximumWindow).contains(windowMilliseconds) else { return }
        let days = Self.maximumWindow / 86_400_000
        throw mistake(.invalidWindow, ": expected a window of more than 0 and at most \(days) days")
    }

    private func checkSteps() throws(FunnelDefinitionError) {
        guard (1...Self.maximumStepCount).contains(steps.count) else {
            throw mistake(
                .invalidStepCount,
                " has \(steps.count) steps: expected 1 to \(Self.maximumStepCount)"
            )
        }
        var names: Set<[UInt8]> = []
        for step in steps where !names.insert(Array(step.name.utf8)).inserted {
            throw mistake(
                .duplicateStep,
                step: step.name,
                " has two steps named '\(step.name)': expected unique names"
            )
        }
    }

    private func checkAlternatives() throws(FunnelDefinitionError) {
        let most = EventFilter.maximumCount
        func sentence(_ place: String, _ count: Int) -> String? {
            (1...most).contains(count) ? nil : ", \(place), any: expected 1 to \(most) alternatives, found \(count)"
        }
        for step in steps {
            guard let text = sentence("step '\(step.name)'", step.alternatives.count) else { continue }
            throw mistake(.invalidAlternatives, step: step.name, text)
        }
        for (index, exclusion) in exclusions.enumerated() {
            guard let text = sentence("exclude", exclusion.alternatives.count) else { continue }
            throw mistake(.invalidAlternatives, exclusion: index, text)
        }
    }

    private func checkOptionalSteps() throws(FunnelDefinitionError) {
        for step in [steps[0], steps[steps.count - 1]] where step.isOptional {
            throw mistake(
                .invalidOptionalStep,
                step: step.name,
                ", step '\(step.name)', optional: the first and the last step must be met"
            )
        }
        let optional = steps.filter(\.isOptional)
        guard optional.count > Self.maximumOptionalStepCount else { return }
        let step = optional[Self.maximumOptionalStepCount].name
        throw mistake(
            .invalidOptionalStep,
            step: step,
            ", step '\(step)', optional: expected at most \(Self.maximumOptionalStepCount) optional steps, found "
                + "\(optional.count)"
        )
    }

    private func checkSums() throws(FunnelDefinitionError) {
        let range = Sum.decimalsRange
        for step in steps {
            guard let sum = step.sum, !range.contains(sum.decimals) else { continue }
            throw mistake(
                .invalidDecimals,
                step: step.name,
                ", step '\(step.name)', decimals: expected \(range.lowerBound) to \(range.upperBound), found "
                    + "\(sum.decimals)"
            )
        }
    }

    private func checkExclusions() throws(FunnelDefinitionError) {
        let required = steps.filter { !$0.isOptional }.map(\.name).joined(separator: ", ")
        for (index, exclusion) in exclusions.enumerated() {
            for bound in [exclusion.from, exclusion.to].compactMap({ $0 }) {
                guard let found = self.index(ofStep: bound) else {
                    throw mistake(
                        .unknownStep,
                        step: bound,
                        exclusion: index,
                        ", exclude: there is no step '\(bound)': expected \(required)"
                    )
                }
                guard steps[found].isOptional else { continue }
                throw mistake(
                    .invalidExclusion,
                    step: bound,
                    exclusion: index,
                    ", exclude: step '\(bound)' is optional: expected \(required)"
                )
            }
            guard gaps(of: exclusion) == 0 else { continue }
            let (first, last) = (exclusion.from ?? steps[0].name, exclusion.to ?? steps[steps.count - 1].name)
            throw mistake(
                .invalidExclusion,
                exclusion: index,
                ", exclude: '\(first)' is not before '\(last)': expected 'from' to be a step before 'to'"
            )
        }
    }

    private func checkConditions() throws(FunnelDefinitionError) {
        for condition in filters.flatMap(\.conditions) {
            guard condition.test.bound?.double.isNaN ?? false else { continue }
            throw mistake(.invalidBound, ", condition on '\(condition.field.path)': expected a number, found NaN")
        }
    }

    private func checkBreakdown() throws(FunnelDefinitionError) {
        guard let breakdown else { return }
        guard (1...Breakdown.maximumPartCount).contains(breakdown.parts.count) else {
            throw mistake(
                .invalidBreakdown,
                ", breakdown: expected 1 to \(Breakdown.maximumPartCount) parts, found \(breakdown.parts.count)"
            )
        }
        for (index, part) in breakdown.parts.enumerated() {
            guard let step = part.step, self.index(ofStep: step) == nil else { continue }
            let known = steps.map(\.name).joined(separator: ", ")
            throw mistake(
                .unknownStep,
                step: step,
                part: index,
                ", breakdown: there is no step '\(step)': expected \(known)"
            )
        }
    }

    private func checkExperiment() throws(FunnelDefinitionError) {
        guard let text = experiment.flatMap({ mistake(in: $0) }) else { return }
        throw mistake(.invalidExperiment, ", experiment: \(text)")
    }

    private func mistake(in experiment: Experiment) -> String? {
        guard let breakdown else { return "expected a breakdown, whose values are the variants" }
        guard breakdown.parts.count == 1 else {
            return "expected a breakdown of one part, found \(breakdown.parts.count) parts"
        }
        guard stepIndex(of: breakdown.parts[0]) == 0 else {
            return
                "expected a breakdown by a field of the first step, found one of '\(breakdown.parts[0].step ?? "")': "
                + "who has not come so far would have no variant"
        }
        let shares = experiment.shares
        guard !shares.isEmpty else { return nil }
        for (index, share) in shares.enumerated() {
            guard share.weight > 0, share.weight.isFinite else {
                return "share of '\(share.value)': expected a number of more than 0"
            }
            guard shares[..<index].contains(where: { $0.value == share.value }) else { continue }
            return "there are two shares of '\(share.value)': expected one"
        }
        guard !shares.contains(where: { $0.value == experiment.control }) else { return nil }
        let known = shares.map { "'\($0.value)'" }.joined(separator: ", ")
        return "control '\(experiment.control)' has no share: expected one of \(known), or a share for it"
    }

    /// All filters by which the funnel chooses events.
    package var filters: [EventFilter] {
        steps.flatMap(\.alternatives) + exclusions.flatMap(\.alternatives) + (next.map { [$0.filter] } ?? [])
    }
}
