import Funnels

/// What changed definitions do to the figures: each step before and after.
///
/// ```swift
/// let review = ReportReview(before: storesReport, after: previewsReport)
/// print(review.hasChanges)
/// ```
package struct ReportReview: Sendable {
    /// A step's count before and after.
    package struct StepChange: Sendable, Hashable {
        /// The step's name.
        package var name: String
        /// The count before; `nil` where the funnel had no such step.
        package var before: Int?
        /// The count after; `nil` where the funnel has no such step any more.
        package var after: Int?

        /// What the change adds; `nil` where one of the counts is missing.
        package var difference: Int? { before.flatMap { before in after.map { $0 - before } } }
    }

    /// The steps of one breakdown value.
    package struct ValueChange: Sendable, Hashable {
        /// The value.
        package var value: BreakdownValue
        /// Its steps.
        package var steps: [StepChange]
    }

    /// A funnel that both reports have.
    package struct FunnelChange: Sendable {
        /// The funnel as it is after.
        package var result: FunnelResult
        /// The steps of all actors.
        package var steps: [StepChange]
        /// The steps of each breakdown value of either report; none where a report has no breakdown.
        package var values: [ValueChange]

        /// Whether a count is different.
        package var hasChanges: Bool { (steps + values.flatMap(\.steps)).contains { $0.before != $0.after } }
    }

    /// The funnels that both have, in the order of the report after.
    package let funnels: [FunnelChange]
    /// The names of the funnels that only the report before has.
    package let removed: [String]
    /// The names of the funnels that only the report after has.
    package let added: [String]
    /// The events that were counted before and after.
    package let events: (before: Int64, after: Int64)

    /// Whether a funnel that both have has another figure.
    package var hasChanges: Bool { funnels.contains(where: \.hasChanges) }

    /// Compares two reports of the same days.
    ///
    /// - Parameters:
    ///   - before: the report of the definitions before.
    ///   - after: the report of the definitions after.
    ///   - removed: the names of the funnels that only the definitions before have.
    package init(before: FunnelReport, after: FunnelReport, removed: [String]) {
        let known = Dictionary(uniqueKeysWithValues: before.funnels.map { ($0.funnel.name, $0) })
        funnels = after.funnels.compactMap { result in
            known[result.funnel.name].map { FunnelChange(before: $0, after: result) }
        }
        added = after.funnels.map(\.funnel.name).filter { known[$0] == nil }
        self.removed = removed
        events = (before.quality.events, after.quality.events)
    }
}

extension ReportReview.FunnelChange {
    fileprivate init(before: FunnelResult, after: FunnelResult) {
        result = after
        steps = Self.changes(before.steps, after.steps)
        values = []
        // Values of other fields are no values of these.
        guard let old = before.breakdown, let new = after.breakdown, before.funnel.breakdown == after.funnel.breakdown
        else { return }
        let oldSteps = Dictionary(uniqueKeysWithValues: old.map { ($0.value, $0.steps) })
        let newSteps = Dictionary(uniqueKeysWithValues: new.map { ($0.value, $0.steps) })
        values = Set(oldSteps.keys).union(newSteps.keys).sorted().map { value in
            // A value without actors is not in a report.
            ReportReview.ValueChange(
                value: value,
                steps: Self.changes(
                    oldSteps[value] ?? before.steps.map(\.nobody),
                    newSteps[value] ?? after.steps.map(\.nobody)
                )
            )
        }
    }

    private static func changes(_ before: [StepResult], _ after: [StepResult]) -> [ReportReview.StepChange] {
        // By bytes: two names can be equal as strings and yet name two steps.
        let old = Dictionary(uniqueKeysWithValues: before.map { (Array($0.name.utf8), $0.count) })
        let new = Set(after.map { Array($0.name.utf8) })
        return after.map { ReportReview.StepChange(name: $0.name, before: old[Array($0.name.utf8)], after: $0.count) }
            + before.filter { !new.contains(Array($0.name.utf8)) }
            .map { ReportReview.StepChange(name: $0.name, before: $0.count, after: nil) }
    }
}

extension StepResult {
    fileprivate var nobody: StepResult {
        var step = self
        step.count = 0
        return step
    }
}
