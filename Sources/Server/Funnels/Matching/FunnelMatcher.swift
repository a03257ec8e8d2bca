import FlowEvents

/// A set of funnels, prepared for comparison with the bytes of events.
///
/// The parts are in a few flat arrays and refer to each other by ranges: an array within an array would cost a retain
/// and a release for each step and event. It is a class, so that a use of it retains one object and not each array.
final class FunnelMatcher: Sendable {
    let funnels: [Funnel]
    private let parts: MatcherParts
    // For each funnel, whether it counts sessions.
    private let countsSessions: [Bool]

    init(funnels: [Funnel]) {
        self.funnels = funnels
        parts = MatcherParts(funnels: funnels)
        countsSessions = funnels.map { $0.count == .sessions }
    }

    /// The fields that the funnels need. A reader supplies their values in this order.
    var fields: [Field] { parts.fields }

    /// What each funnel takes from the events that it matches.
    var values: [FunnelValues] { parts.values }

    /// The number of event types that the funnels name.
    var typeCount: Int { parts.types.count }

    /// The index of an event type; `nil` for one that no funnel names.
    func type(_ name: UnsafeRawBufferPointer) -> Int? {
        parts.text.withUnsafeBytes { text in
            for index in parts.types.indices
            where UnsafeRawBufferPointer(rebasing: text[parts.types[index].text]).hasSameBytes(as: name) {
                return index
            }
            return nil
        }
    }

    /// Calls `body` with the name of an event type.
    func withType<R>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        parts.text.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[parts.types[index].text])) }
    }

    /// The fields that funnels watch of events of a type: indices into ``fields``, in order.
    func watchedFields(of type: Int) -> ArraySlice<Int> { parts.watched[parts.types[type].watched] }

    /// Finds what an event means to each funnel, whether or not the event has a session.
    ///
    /// - Parameters:
    ///   - type: the index of the event's type.
    ///   - values: the values of ``fields``; those that are not watched of this type can be absent.
    ///   - matches: receives what the event means, by funnel.
    /// - Returns: whether a funnel needs the event.
    @discardableResult
    func match(_ type: Int, _ values: UnsafeBufferPointer<FieldValue>, into matches: inout [FunnelMatch]) -> Bool {
        parts.text.withUnsafeBytes { text in
            let type = parts.types[type]
            // Many patterns have the same conditions, so each is tested once.
            return withUnsafeTemporaryAllocation(of: Bool.self, capacity: type.tests.count) { isMet in
                for index in type.tests {
                    let test = parts.tests[index]
                    isMet[index - type.tests.lowerBound] = isAccepted(values[test.field], test.accepted, text)
                }
                var isNeeded = false
                // The check whether the array is shared costs more than a step.
                matches.withUnsafeMutableBufferPointer { matches in
                    matches.update(repeating: FunnelMatch())
                    for index in type.candidates {
                        let candidate = parts.candidates[index]
                        guard candidate.conditions.allSatisfy({ isMet[parts.conditions[$0]] }) else { continue }
                        if candidate.actor != MatcherParts.noField, !values[candidate.actor].isPresent {
                            matches[candidate.funnel].stepsWithoutActor |= candidate.match.steps
                            continue
                        }
                        isNeeded = true
                        matches[candidate.funnel].formUnion(candidate.match)
                    }
                }
                return isNeeded
            }
        }
    }

    /// Whether a funnel needs an event with these matches that has no session.
    func isNeededWithoutSession(_ matches: [FunnelMatch]) -> Bool {
        matches.indices.contains { matches[$0].isNeeded && !countsSessions[$0] }
    }

    private func isAccepted(_ value: FieldValue, _ accepted: Range<Int>, _ text: UnsafeRawBufferPointer) -> Bool {
        accepted.contains { index in
            let test = parts.accepted[index]
            return isEqual(value, test, text) || passes(value, test, text)
        }
    }

    /// Whether a value equals a string, a number or a boolean of a condition.
    @inline(__always)
    private func isEqual(
        _ value: FieldValue,
        _ known: MatcherParts.Accepted,
        _ text: UnsafeRawBufferPointer
    ) -> Bool {
        switch (known, value) {
        case (.string(let known), .string(let bytes)):
            known.count == bytes.count && UnsafeRawBufferPointer(rebasing: text[known]).hasSameBytes(as: bytes)
        case (.number(let known), .number(let number)): known.number(in: text) == number
        case (.bool(let known), .bool(let bool)): known == bool
        default: false
        }
    }

    /// Whether a value passes a test other than equality.
    private func passes(
        _ value: FieldValue,
        _ test: MatcherParts.Accepted,
        _ text: UnsafeRawBufferPointer
    ) -> Bool {
        switch (test, value) {
        case (.noneOf(let refused), _): !isAccepted(value, refused, text)
        case (.exists(let expected), _): value.isPresent == expected
        case (.greaterThan(let bound), .number(let number)): number > bound.number(in: text)
        case (.atLeast(let bound), .number(let number)): number >= bound.number(in: text)
        case (.lessThan(let bound), .number(let number)): number < bound.number(in: text)
        case (.atMost(let bound), .number(let number)): number <= bound.number(in: text)
        case (.prefix(let known), .string(let bytes)):
            bytes.hasPrefix(UnsafeRawBufferPointer(rebasing: text[known]))
        case (.contains(let known), .string(let bytes)):
            bytes.contains(UnsafeRawBufferPointer(rebasing: text[known]))
        default: false
        }
    }
}

extension FieldValue {
    /// Whether the field has a value. An array or an object counts as none.
    var isPresent: Bool {
        switch self {
        case .absent, .other: false
        case .string, .number, .bool: true
        }
    }
}
