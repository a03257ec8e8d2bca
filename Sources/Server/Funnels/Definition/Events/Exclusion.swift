public import FlowEvents

/// Events that end an attempt between two steps.
///
/// An attempt that waits for its next step ends at the first event that matches an exclusion of the gap before that
/// step, unless the event meets the step. The steps that were met before stay met.
///
/// ```swift
/// let swiped = Exclusion(event: "paywall_close", from: "paywall", to: "purchase")
///     .where("transition", .is("swipe_dismiss"))
/// ```
public struct Exclusion: Sendable, Hashable, Codable {
    /// The patterns, one of which an event must match; at least one.
    public let alternatives: [EventPattern]
    /// The name of the required step after which the exclusion begins to apply; `nil` for the first step.
    public let from: String?
    /// The name of the required step with which the exclusion ceases to apply; `nil` for the last step.
    public let to: String?

    /// Creates an exclusion of events of one type.
    public init(event: String, conditions: [Condition] = [], from: String? = nil, to: String? = nil) {
        self.init(any: [EventPattern(event: event, conditions: conditions)], from: from, to: to)
    }

    /// Creates an exclusion of events of several kinds.
    ///
    /// - Parameters:
    ///   - alternatives: the patterns, one of which an event must match: 1 to ``EventPattern/maximumCount``.
    ///   - from: the step after which it begins to apply; `nil` for the first step.
    ///   - to: the step with which it ceases to apply; `nil` for the last step.
    public init(any alternatives: [EventPattern], from: String? = nil, to: String? = nil) {
        self.alternatives = alternatives
        self.from = from
        self.to = to
    }

    /// Returns the exclusion with one more condition for each of `tests`, in each of its alternatives.
    public func `where`(_ field: Field, _ tests: Condition.Test...) -> Exclusion {
        Exclusion(any: alternatives.map { $0.adding(field, tests) }, from: from, to: to)
    }
}

extension Funnel {
    /// The gaps between required steps that one of the funnel's exclusions covers: the gap behind the k-th required step as
    /// bit k − 1.
    package func gaps(of exclusion: Exclusion) -> UInt32 {
        // `init` has checked the names.
        let from = exclusion.from.flatMap { index(ofStep: $0) } ?? 0
        let to = exclusion.to.flatMap { index(ofStep: $0) } ?? steps.count - 1
        return from < to ? (1 << UInt32(rank(before: to))) - (1 << UInt32(rank(before: from))) : 0
    }
}
