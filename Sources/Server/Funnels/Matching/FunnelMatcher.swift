import FlowEvents

/// A set of funnels, prepared for comparison with the bytes of events.
///
/// The parts are in a few flat arrays and refer to each other by ranges: an array within an array would cost a retain
/// and a release for each step and event. It is a class, so that a use of it retains one object and not each array.
final class FunnelMatcher: Sendable {
    /// The fields that the funnels need. A reader supplies their values in this order.
    let fields: [Field]
    let funnels: [Funnel]
    private let types: [MatcherParts.EventType]
    private let steps: [MatcherParts.Candidate]
    private let exclusions: [MatcherParts.Candidate]
    private let comparisons: [MatcherParts.Comparison]
    private let knownValues: [MatcherParts.KnownValue]
    private let tests: [MatcherParts.FieldTest]
    private let accepted: [MatcherParts.Accepted]
    private let text: [UInt8]
    private let sums: [MatcherParts.SumField]
    private let actorFields: [(funnel: Int, field: Int)]
    /// The funnels with a breakdown, each with the index of the breakdown in `fields`.
    private let breakdowns: [(funnel: Int, field: Int)]
    /// Whether a funnel has exclusions or sums, or counts by a field.
    private let hasExtras: Bool

    init(funnels: [Funnel]) {
        var parts = MatcherParts(funnels: funnels)
        breakdowns = funnels.enumerated().compactMap { funnel, definition in
            definition.breakdown.map { (funnel, parts.index(of: $0)) }
        }
        types = parts.types
        steps = parts.steps
        exclusions = parts.exclusions
        comparisons = parts.comparisons
        knownValues = parts.knownValues
        tests = parts.tests
        accepted = parts.accepted
        text = parts.text
        sums = parts.sums
        actorFields = parts.actorFields
        fields = parts.fields
        self.funnels = funnels
        hasExtras = !parts.exclusions.isEmpty || !parts.sums.isEmpty || !parts.actorFields.isEmpty
    }

    /// An ``EventMatch`` for ``match(_:into:intern:)``.
    var emptyMatch: EventMatch { EventMatch(funnelCount: funnels.count, sumCount: sums.count) }

    /// Finds the steps and exclusions that an event matches.
    ///
    /// - Parameters:
    ///   - match: receives what the event means. It is meaningless where the event matches nothing.
    ///   - intern: returns the index of the text of a breakdown value, an actor or a unit.
    /// - Returns: whether the event matches any step or exclusion of a funnel in which it takes part.
    func match(
        _ event: EventFields,
        into match: inout EventMatch,
        intern: (UnsafeRawBufferPointer) -> StringTable.Index
    ) -> Bool {
        text.withUnsafeBytes { text in
            guard let index = index(of: event.type, text) else { return false }
            let type = types[index]
            let conditions = conditionsMet(by: event.values, type, text)
            let isMatch = findMatches(steps, type.steps, event, conditions, text, into: &match.steps)
            for (funnel, field) in breakdowns {
                let begins = match.steps[funnel] & 1 != 0
                match.values[funnel].wrappedValue = begins ? event.values[field].withBreakdownText(intern) : nil
            }
            guard hasExtras else { return isMatch }
            let isExclusion = findMatches(exclusions, type.exclusions, event, conditions, text, into: &match.exclusions)
            fillActors(event, into: &match, intern)
            fillAmounts(event, into: &match, intern)
            return isMatch || isExclusion
        }
    }

    /// Finds the steps or the exclusions that an event matches.
    ///
    /// - Parameters:
    ///   - candidates: all steps, or all exclusions.
    ///   - range: those of the event's type.
    ///   - conditions: the conditions that the event meets, as ``conditionsMet(by:_:_:)`` returns them.
    ///   - masks: receives the masks of the matches, by funnel.
    /// - Returns: whether it matches any.
    @inline(__always)
    private func findMatches(
        _ candidates: [MatcherParts.Candidate],
        _ range: Range<Int>,
        _ event: EventFields,
        _ conditions: UInt64,
        _ text: UnsafeRawBufferPointer,
        into masks: inout [UInt32]
    ) -> Bool {
        var isMatch = false
        // The check whether the array is shared costs more than a step.
        masks.withUnsafeMutableBufferPointer { masks in
            masks.update(repeating: 0)
            for index in range {
                let candidate = candidates[index]
                guard candidate.conditions & ~conditions == 0 else { continue }
                if candidate.actor != MatcherParts.anyActor, !hasActor(candidate.actor, event) { continue }
                guard candidate.tests.isEmpty || holds(candidate.tests, event.values, text) else { continue }
                isMatch = true
                masks[candidate.funnel] |= candidate.mask
            }
        }
        return isMatch
    }

    /// The conditions that these fields meet, as the bits of ``MatcherParts/KnownValue/conditions``.
    private func conditionsMet(
        by values: UnsafeBufferPointer<FieldValue>,
        _ type: MatcherParts.EventType,
        _ text: UnsafeRawBufferPointer
    ) -> UInt64 {
        var conditions: UInt64 = 0
        for index in type.comparisons {
            let comparison = comparisons[index]
            let value = values[comparison.field]
            for index in comparison.values where isEqual(value, knownValues[index].value, text) {
                conditions |= knownValues[index].conditions
                break
            }
        }
        return conditions
    }

    private func fillActors(
        _ event: EventFields,
        into match: inout EventMatch,
        _ intern: (UnsafeRawBufferPointer) -> StringTable.Index
    ) {
        for (funnel, field) in actorFields {
            let takesPart = match.steps[funnel] | match.exclusions[funnel] != 0
            match.actors[funnel].wrappedValue = takesPart ? event.values[field].withBreakdownText(intern) : nil
        }
    }

    private func fillAmounts(
        _ event: EventFields,
        into match: inout EventMatch,
        _ intern: (UnsafeRawBufferPointer) -> StringTable.Index
    ) {
        for index in sums.indices {
            let sum = sums[index]
            guard match.steps[sum.funnel] & sum.mask != 0 else {
                match.amounts[index] = .notMatched
                continue
            }
            guard case .number(let number) = event.values[sum.field],
                let amount = Sum.amount(of: number, scale: sum.scale)
            else {
                match.amounts[index] = .without
                continue
            }
            let unit = sum.unit.map { event.values[$0] } ?? .absent
            match.amounts[index] = .amount(amount, unit: unit.withBreakdownText(intern))
        }
    }

    private func index(of type: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) -> Int? {
        for index in types.indices
        where UnsafeRawBufferPointer(rebasing: text[types[index].text]).hasSameBytes(as: type) {
            return index
        }
        return nil
    }

    /// Whether an event has the session or the field by which a funnel counts.
    private func hasActor(_ actor: Int, _ event: EventFields) -> Bool {
        if actor == MatcherParts.sessionActor { return event.sessionID != nil }
        return event.values[actor].isPresent
    }

    private func holds(
        _ tests: Range<Int>,
        _ values: UnsafeBufferPointer<FieldValue>,
        _ text: UnsafeRawBufferPointer
    ) -> Bool {
        for index in tests {
            let test = self.tests[index]
            guard isAccepted(values[test.field], test.accepted, text) else { return false }
        }
        return true
    }

    private func isAccepted(_ value: FieldValue, _ accepted: Range<Int>, _ text: UnsafeRawBufferPointer) -> Bool {
        accepted.contains { index in
            let test = self.accepted[index]
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
        case (.number(let known), .number(let number)): known == number
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
        case (.greaterThan(let bound), .number(let number)): number > bound
        case (.atLeast(let bound), .number(let number)): number >= bound
        case (.lessThan(let bound), .number(let number)): number < bound
        case (.atMost(let bound), .number(let number)): number <= bound
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
    fileprivate var isPresent: Bool {
        switch self {
        case .absent, .other: false
        case .string, .number, .bool: true
        }
    }
}
