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
public struct Exclusion: Sendable, Hashable {
    /// The CloudEvents `type` of the events.
    public let event: String
    /// The conditions, all of which an event must meet.
    public let conditions: [Condition]
    /// The name of the step after which the exclusion begins to apply; `nil` for the first step.
    public let from: String?
    /// The name of the step with which the exclusion ceases to apply; `nil` for the last step.
    public let to: String?

    /// Creates an exclusion.
    public init(event: String, conditions: [Condition] = [], from: String? = nil, to: String? = nil) {
        self.event = event
        self.conditions = conditions
        self.from = from
        self.to = to
    }

    /// Returns the exclusion with one more condition for each of `tests`.
    public func `where`(_ field: Field, _ tests: Condition.Test...) -> Exclusion {
        let added = tests.map { Condition(field, $0) }
        return Exclusion(event: event, conditions: conditions + added, from: from, to: to)
    }
}

extension Funnel {
    /// The gaps between steps that one of the funnel's exclusions covers: the gap from step k to step k + 1 as bit
    /// k − 1.
    package func gaps(of exclusion: Exclusion) -> UInt32 {
        // `init` has checked the names.
        let from = exclusion.from.flatMap { index(ofStep: $0) } ?? 0
        let to = exclusion.to.flatMap { index(ofStep: $0) } ?? steps.count - 1
        return from < to ? (1 << UInt32(to)) - (1 << UInt32(from)) : 0
    }

    func index(ofStep name: String) -> Int? {
        steps.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
    }
}
