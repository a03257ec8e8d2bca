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

    /// - Parameter text: what follows the funnel in the sentence.
    private func mistake(at path: [FunnelDefinitionError.PathElement], _ text: String) -> FunnelDefinitionError {
        FunnelDefinitionError(funnel: name, at: path, message: "funnel '\(name)'\(text)")
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
        throw FunnelDefinitionError(funnel: name, at: ["name"], message: message)
    }

    private func checkWindow() throws(FunnelDefinitionError) {
        guard !(1...Self.maximumWindow).contains(windowMilliseconds) else { return }
        let days = Self.maximumWindow / 86_400_000
        throw mistake(at: ["window"], ": expected a window of more than 0 and at most \(days) days")
    }

    private func checkSteps() throws(FunnelDefinitionError) {
        guard (1...Self.maximumStepCount).contains(steps.count) else {
            throw mistake(at: ["steps"], " has \(steps.count) steps: expected 1 to \(Self.maximumStepCount)")
        }
        var names: Set<[UInt8]> = []
        for (index, step) in steps.enumerated() where !names.insert(Array(step.name.utf8)).inserted {
            throw mistake(
                at: ["steps", .index(index), "name"],
                " has two steps named '\(step.name)': expected unique names"
            )
        }
    }

    private func checkAlternatives() throws(FunnelDefinitionError) {
        let most = EventPattern.maximumCount
        func sentence(_ place: String, _ count: Int) -> String? {
            (1...most).contains(count) ? nil : ", \(place), any: expected 1 to \(most) alternatives, found \(count)"
        }
        for (index, step) in steps.enumerated() {
            guard let text = sentence("step '\(step.name)'", step.alternatives.count) else { continue }
            throw mistake(at: ["steps", .index(index), "any"], text)
        }
        for (index, exclusion) in exclusions.enumerated() {
            guard let text = sentence("exclude", exclusion.alternatives.count) else { continue }
            throw mistake(at: ["exclude", .index(index), "any"], text)
        }
    }

    private func checkOptionalSteps() throws(FunnelDefinitionError) {
        func mistake(in index: Int, _ text: String) -> FunnelDefinitionError {
            let text = ", step '\(steps[index].name)', optional: \(text)"
            return self.mistake(at: ["steps", .index(index), "optional"], text)
        }
        for index in [0, steps.count - 1] where steps[index].isOptional {
            throw mistake(in: index, "the first and the last step must be met")
        }
        let (optional, most) = (steps.indices.filter { steps[$0].isOptional }, Self.maximumOptionalStepCount)
        guard optional.count > most else { return }
        throw mistake(in: optional[most], "expected at most \(most) optional steps, found \(optional.count)")
    }

    private func checkSums() throws(FunnelDefinitionError) {
        let range = Sum.decimalsRange
        for (index, step) in steps.enumerated() {
            guard let sum = step.sum, !range.contains(sum.decimals) else { continue }
            let expected = "expected \(range.lowerBound) to \(range.upperBound), found \(sum.decimals)"
            throw mistake(
                at: ["steps", .index(index), "sum", "decimals"],
                ", step '\(step.name)', decimals: \(expected)"
            )
        }
    }

    private func checkExclusions() throws(FunnelDefinitionError) {
        let required = steps.filter { !$0.isOptional }.map(\.name).joined(separator: ", ")
        for (index, exclusion) in exclusions.enumerated() {
            for (key, bound) in [("from", exclusion.from), ("to", exclusion.to)] {
                guard let bound else { continue }
                let path: [FunnelDefinitionError.PathElement] = ["exclude", .index(index), .key(key)]
                guard let found = self.index(ofStep: bound) else {
                    throw mistake(at: path, ", exclude: there is no step '\(bound)': expected \(required)")
                }
                guard steps[found].isOptional else { continue }
                throw mistake(at: path, ", exclude: step '\(bound)' is optional: expected \(required)")
            }
            guard gaps(of: exclusion) == 0 else { continue }
            let (first, last) = (exclusion.from ?? steps[0].name, exclusion.to ?? steps[steps.count - 1].name)
            throw mistake(
                at: ["exclude", .index(index), exclusion.from == nil ? "to" : "from"],
                ", exclude: '\(first)' is not before '\(last)': expected 'from' to be a step before 'to'"
            )
        }
    }

    private func checkConditions() throws(FunnelDefinitionError) {
        for condition in patterns.flatMap(\.conditions) {
            guard condition.test.bound?.double.isNaN ?? false else { continue }
            throw mistake(at: [], ", condition on '\(condition.field.path)': expected a number, found NaN")
        }
    }

    private func checkBreakdown() throws(FunnelDefinitionError) {
        guard let breakdown else { return }
        let (count, most) = (breakdown.parts.count, Breakdown.maximumPartCount)
        guard (1...most).contains(count) else {
            throw mistake(at: ["breakdown"], ", breakdown: expected 1 to \(most) parts, found \(count)")
        }
        for (index, part) in breakdown.parts.enumerated() {
            guard let step = part.step, self.index(ofStep: step) == nil else { continue }
            let known = steps.map(\.name).joined(separator: ", ")
            throw mistake(
                at: ["breakdown"] + (breakdown.isList ? [.index(index)] : []) + ["step"],
                ", breakdown: there is no step '\(step)': expected \(known)"
            )
        }
    }

    private func checkExperiment() throws(FunnelDefinitionError) {
        guard let text = experiment.flatMap({ mistake(in: $0) }) else { return }
        throw mistake(at: ["experiment"], ", experiment: \(text)")
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
        // By bytes, as a report does. `==` of `String` does not tell é from an e that an accent follows.
        var values: Set<[UInt8]> = []
        for share in shares {
            guard share.weight > 0, share.weight.isFinite else {
                return "share of '\(share.value)': expected a number of more than 0"
            }
            guard values.insert(Array(share.value.utf8)).inserted else {
                return "there are two shares of '\(share.value)': expected one"
            }
        }
        guard !values.contains(Array(experiment.control.utf8)) else { return nil }
        let known = shares.map { "'\($0.value)'" }.joined(separator: ", ")
        return "control '\(experiment.control)' has no share: expected one of \(known), or a share for it"
    }

    /// All patterns by which the funnel chooses events.
    package var patterns: [EventPattern] {
        steps.flatMap(\.alternatives) + exclusions.flatMap(\.alternatives) + (next.map { [$0.pattern] } ?? [])
    }
}
