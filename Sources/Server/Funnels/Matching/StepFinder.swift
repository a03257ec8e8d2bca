import FlowEvents

/// Finds the steps that a single event meets, for a tool that shows events as they come.
///
/// An event that meets a step need not count there: the kernel looks at all events of an actor, and at their order.
///
/// ```swift
/// let finder = StepFinder(funnels: funnels)
/// let reader = EventReader(fields: finder.fields)
/// reader.read(value, recordTimestamp: nil) { event in finder.steps(type: event.type, event.values) }
/// ```
package struct StepFinder: Sendable {
    /// A step of a funnel.
    package struct Found: Sendable, Hashable {
        /// The funnel's name.
        package let funnel: String
        /// The step's name.
        package let step: String
    }

    private let matcher: FunnelMatcher

    /// Creates a finder for funnels.
    package init(funnels: [Funnel]) {
        matcher = FunnelMatcher(funnels: funnels)
    }

    /// The fields whose values it needs, in this order.
    package var fields: [Field] { matcher.fields }

    /// Returns the steps that an event meets, in the order of the funnels.
    ///
    /// - Parameters:
    ///   - type: the event's type, UTF-8.
    ///   - values: the values of ``fields``.
    package func steps(type: UnsafeRawBufferPointer, _ values: UnsafeBufferPointer<FieldValue>) -> [Found] {
        guard let type = matcher.type(type) else { return [] }
        var matches = [FunnelMatch](repeating: FunnelMatch(), count: matcher.funnels.count)
        guard matcher.match(type, values, into: &matches) else { return [] }
        return zip(matcher.funnels, matches).flatMap { funnel, match in
            funnel.steps.enumerated().compactMap { index, step in
                match.steps & 1 << index != 0 ? Found(funnel: funnel.name, step: step.name) : nil
            }
        }
    }
}
