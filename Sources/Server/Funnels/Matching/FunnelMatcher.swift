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
    private let tests: [MatcherParts.FieldTest]
    private let accepted: [MatcherParts.Accepted]
    private let text: [UInt8]
    private let sums: [MatcherParts.SumField]
    private let actorFields: [(funnel: Int, field: Int)]
    /// For each funnel, the index of its breakdown in `fields`.
    private let breakdowns: [Int?]
    /// Whether a funnel has exclusions or sums, or counts by a field.
    private let hasExtras: Bool

    init(funnels: [Funnel]) {
        var parts = MatcherParts(funnels: funnels)
        breakdowns = funnels.map { $0.breakdown.map { parts.index(of: $0) } }
        types = parts.types
        steps = parts.steps
        exclusions = parts.exclusions
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
            guard let type = index(of: event.type, text) else { return false }
            for funnel in match.steps.indices {
                match.steps[funnel] = 0
                match.values[funnel].wrappedValue = nil
            }
            var isMatch = false
            for index in types[type].steps {
                let step = steps[index]
                if step.actor != MatcherParts.anyActor, !hasActor(step.actor, event) { continue }
                guard holds(step.tests, event.values, text) else { continue }
                isMatch = true
                match.steps[step.funnel] |= step.mask
                if step.mask == 1, let field = breakdowns[step.funnel] {
                    match.values[step.funnel].wrappedValue = event.values[field].withBreakdownText(intern)
                }
            }
            guard hasExtras else { return isMatch }
            let isExclusion = matchExclusions(types[type].exclusions, event, into: &match, text)
            fillActors(event, into: &match, intern)
            fillAmounts(event, into: &match, intern)
            return isMatch || isExclusion
        }
    }

    private func matchExclusions(
        _ candidates: Range<Int>,
        _ event: EventFields,
        into match: inout EventMatch,
        _ text: UnsafeRawBufferPointer
    ) -> Bool {
        for funnel in match.exclusions.indices { match.exclusions[funnel] = 0 }
        var isMatch = false
        for index in candidates {
            let exclusion = exclusions[index]
            if exclusion.actor != MatcherParts.anyActor, !hasActor(exclusion.actor, event) { continue }
            guard holds(exclusion.tests, event.values, text) else { continue }
            isMatch = true
            match.exclusions[exclusion.funnel] |= exclusion.mask
        }
        return isMatch
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
        for index in accepted {
            switch (self.accepted[index], value) {
            case (.string(let known), .string(let bytes)):
                if UnsafeRawBufferPointer(rebasing: text[known]).hasSameBytes(as: bytes) { return true }
            case (.number(let known), .number(let number)):
                if known == number { return true }
            case (.bool(let known), .bool(let bool)):
                if known == bool { return true }
            case (.string, _), (.number, _), (.bool, _): continue
            case (let other, _):
                if passes(value, other, text) { return true }
            }
        }
        return false
    }

    /// Whether a value passes a test other than equality.
    ///
    /// It is not inlined, so that the tests for equality, which most funnels have alone, stay short.
    @inline(never)
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
