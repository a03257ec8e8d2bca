import FlowEvents

/// A set of funnels, prepared for comparison with the bytes of events.
///
/// The parts are in a few flat arrays and refer to each other by ranges: an array within an array would cost a retain
/// and a release for each step and event. It is a class, so that a use of it retains one object and not each array.
final class FunnelMatcher: Sendable {
    /// The fields that the funnels need. A reader supplies their values in this order.
    let fields: [Field]
    let funnels: [Funnel]
    /// The distinct event types of the steps.
    private let types: [EventType]
    private let steps: [CandidateStep]
    private let tests: [FieldTest]
    private let accepted: [Accepted]
    /// The bytes of the event types and accepted strings.
    private let text: [UInt8]
    /// For each funnel, the index of its breakdown in `fields`.
    private let breakdowns: [Int?]

    private struct EventType {
        var text: Range<Int>
        /// The steps that an event of this type can match.
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
        breakdowns = funnels.map { $0.breakdown.map { builder.index(of: $0) } }
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

    /// Collects the parts of all steps.
    private struct Builder {
        var fields: [Field] = []
        var stepsByType: [(type: Range<Int>, steps: [CandidateStep])] = []
        var tests: [FieldTest] = []
        var accepted: [Accepted] = []
        var text: [UInt8] = []

        mutating func index(of field: Field) -> Int {
            if let index = fields.firstIndex(of: field) { return index }
            fields.append(field)
            return fields.count - 1
        }

        mutating func add(_ step: Step, at position: Int, of funnel: Int, needsSession: Bool) {
            let firstTest = tests.count
            for condition in step.conditions {
                let field = index(of: condition.field)
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
    ///   - masks: receives for each funnel the matched steps, step k as bit k − 1.
    ///   - values: receives for each funnel the breakdown value where the event can start an attempt, else `nil`.
    ///   - intern: returns the index of a breakdown value's text.
    /// - Returns: whether the event matches any step.
    func match(
        _ event: EventFields,
        masks: inout [UInt32],
        values: inout [SignatureTable.Value],
        intern: (UnsafeRawBufferPointer) -> StringTable.Index
    ) -> Bool {
        text.withUnsafeBytes { text in
            guard let candidates = candidates(for: event.type, text) else { return false }
            for funnel in masks.indices {
                masks[funnel] = 0
                values[funnel].wrappedValue = nil
            }
            var isMatch = false
            for index in candidates {
                let step = steps[index]
                if step.needsSession, event.sessionID == nil { continue }
                guard holds(step.tests, event.values, text) else { continue }
                isMatch = true
                masks[step.funnel] |= step.bit
                if step.bit == 1, let field = breakdowns[step.funnel] {
                    values[step.funnel].wrappedValue = event.values[field].withBreakdownText(intern)
                }
            }
            return isMatch
        }
    }

    private func candidates(for type: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) -> Range<Int>? {
        for index in types.indices {
            let known = types[index]
            if UnsafeRawBufferPointer(rebasing: text[known.text]).hasSameBytes(as: type) { return known.steps }
        }
        return nil
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
            default:
                continue
            }
        }
        return false
    }
}
