import FlowEvents

/// A set of funnels made ready to be compared with events as bytes.
///
/// Everything lies flat in a few arrays, and refers by ranges: looking at an array within an array would count a
/// reference for each step and event. A class, so that using it counts one and not one for each array.
final class FunnelMatcher: Sendable {
    /// The fields that the funnels look at; a reader hands over their values in this order.
    let fields: [Field]
    let funnels: [Funnel]
    /// The event types that steps have.
    private let types: [EventType]
    private let steps: [CandidateStep]
    private let tests: [FieldTest]
    private let accepted: [Accepted]
    /// The bytes of types and accepted strings.
    private let text: [UInt8]
    /// The place among `fields` of each funnel's breakdown.
    private let breakdowns: [Int?]

    private struct EventType {
        var text: Range<Int>
        /// The steps that events of the type can match.
        var steps: Range<Int>
    }

    private struct CandidateStep {
        var funnel: Int
        var bit: UInt32
        var needsSession: Bool
        var tests: Range<Int>
    }

    private struct FieldTest {
        var field: Int
        var accepted: Range<Int>
    }

    private enum Accepted {
        case string(Range<Int>)
        case number(Double)
        case bool(Bool)
    }

    init(funnels: [Funnel]) {
        var builder = Builder()
        for (index, funnel) in funnels.enumerated() {
            for (position, step) in funnel.steps.enumerated() {
                builder.add(step, at: position, of: index, needsSession: funnel.count == .sessions)
            }
        }
        breakdowns = funnels.map { $0.breakdown.map { builder.place(of: $0) } }
        var steps: [CandidateStep] = []
        types = builder.stepsByType.map { type, candidates in
            steps += candidates
            return EventType(text: type, steps: (steps.count - candidates.count)..<steps.count)
        }
        self.steps = steps
        tests = builder.tests
        accepted = builder.accepted
        text = builder.text
        fields = builder.fields
        self.funnels = funnels
    }

    /// Gathers the parts of all steps.
    private struct Builder {
        var fields: [Field] = []
        var stepsByType: [(type: Range<Int>, steps: [CandidateStep])] = []
        var tests: [FieldTest] = []
        var accepted: [Accepted] = []
        var text: [UInt8] = []

        mutating func place(of field: Field) -> Int {
            if let index = fields.firstIndex(where: { $0.isSame(as: field) }) { return index }
            fields.append(field)
            return fields.count - 1
        }

        mutating func add(_ step: Step, at position: Int, of funnel: Int, needsSession: Bool) {
            let firstTest = tests.count
            for condition in step.conditions {
                let field = place(of: condition.field)
                let first = accepted.count
                for value in condition.values { accepted.append(self.value(value)) }
                tests.append(FieldTest(field: field, accepted: first..<accepted.count))
            }
            let candidate = CandidateStep(
                funnel: funnel,
                bit: 1 << UInt32(position),
                needsSession: needsSession,
                tests: firstTest..<tests.count
            )
            if let known = stepsByType.firstIndex(where: { text[$0.type].elementsEqual(step.event.utf8) }) {
                stepsByType[known].steps.append(candidate)
            } else {
                stepsByType.append((add(step.event), [candidate]))
            }
        }

        private mutating func value(_ value: PropertyValue) -> Accepted {
            switch value {
            case .string(let string): .string(add(string))
            case .number(let number): .number(number)
            case .bool(let bool): .bool(bool)
            }
        }

        private mutating func add(_ string: String) -> Range<Int> {
            text += string.utf8
            return (text.count - string.utf8.count)..<text.count
        }
    }

    /// Finds the steps that an event matches.
    ///
    /// - Parameters:
    ///   - masks: gets for each funnel the steps as bits, step k as bit k − 1.
    ///   - values: gets for each funnel the number that `number` gives the breakdown value's text, plus 1, where the event
    ///     can start an attempt; else 0.
    /// - Returns: whether it matches any.
    func match(
        _ event: EventFields,
        masks: inout [UInt32],
        values: inout [Int32],
        number: (UnsafeRawBufferPointer) -> Int
    ) -> Bool {
        text.withUnsafeBytes { text in
            guard let candidates = candidates(for: event.type, text) else { return false }
            for funnel in masks.indices {
                masks[funnel] = 0
                values[funnel] = 0
            }
            var isMatch = false
            for place in candidates {
                let step = steps[place]
                if step.needsSession, event.sessionID == nil { continue }
                guard holds(step.tests, event.values, text) else { continue }
                isMatch = true
                masks[step.funnel] |= step.bit
                if step.bit == 1, let field = breakdowns[step.funnel] {
                    values[step.funnel] = Int32(event.values[field].withBreakdownText(number)) + 1
                }
            }
            return isMatch
        }
    }

    private func candidates(for type: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) -> Range<Int>? {
        for place in types.indices {
            let known = types[place]
            if UnsafeRawBufferPointer(rebasing: text[known.text]).hasSameBytes(as: type) { return known.steps }
        }
        return nil
    }

    private func holds(
        _ tests: Range<Int>,
        _ values: UnsafeBufferPointer<FieldValue>,
        _ text: UnsafeRawBufferPointer
    ) -> Bool {
        for place in tests {
            let test = self.tests[place]
            guard isAccepted(values[test.field], test.accepted, text) else { return false }
        }
        return true
    }

    private func isAccepted(_ value: FieldValue, _ accepted: Range<Int>, _ text: UnsafeRawBufferPointer) -> Bool {
        for place in accepted {
            switch (self.accepted[place], value) {
            case (.string(let known), .string(let bytes)):
                if UnsafeRawBufferPointer(rebasing: text[known]).hasSameBytes(as: bytes) { return true }
            case (.number(let known), .number(let number)):
                if known == number { return true }
            case (.bool(let known), .bool(let bool)):
                if known == bool { return true }
            default:
                continue
            }
        }
        return false
    }
}

extension Field {
    // String's == folds canonically equivalent names together; the contract compares bytes.
    fileprivate func isSame(as other: Field) -> Bool {
        switch (self, other) {
        case (.data(let lhs), .data(let rhs)), (.property(let lhs), .property(let rhs)):
            lhs.utf8.elementsEqual(rhs.utf8)
        default: false
        }
    }
}
