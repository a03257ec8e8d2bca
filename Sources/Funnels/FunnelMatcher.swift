import Events

/// A set of funnels made ready to be compared with events as bytes.
struct FunnelMatcher {
    /// The fields that the funnels look at; a reader hands over their values in this order.
    let fields: [Field]
    let funnels: [Funnel]
    private let candidates: [Candidates]

    /// The steps that events of one type can match.
    private struct Candidates {
        var type: [UInt8]
        var steps: [CandidateStep]
    }

    private struct CandidateStep {
        var funnel: Int
        var bit: UInt32
        var needsSession: Bool
        var tests: [FieldTest]
    }

    private struct FieldTest {
        var field: Int
        var accepted: [Accepted]
    }

    private enum Accepted {
        case string([UInt8])
        case number(Double)
        case bool(Bool)

        init(_ value: PropertyValue) {
            switch value {
            case .string(let string): self = .string(Array(string.utf8))
            case .number(let number): self = .number(number)
            case .bool(let bool): self = .bool(bool)
            }
        }
    }

    // The place among `fields` of each funnel's breakdown.
    private let breakdowns: [Int?]

    init(funnels: [Funnel]) {
        var fields: [Field] = []
        func place(of field: Field) -> Int {
            if let index = fields.firstIndex(where: { $0.isSame(as: field) }) { return index }
            fields.append(field)
            return fields.count - 1
        }
        var candidates: [Candidates] = []
        for (index, funnel) in funnels.enumerated() {
            for (position, step) in funnel.steps.enumerated() {
                let tests = step.conditions.map { condition in
                    FieldTest(field: place(of: condition.field), accepted: condition.values.map(Accepted.init))
                }
                let candidate = CandidateStep(
                    funnel: index,
                    bit: 1 << UInt32(position),
                    needsSession: funnel.count == .sessions,
                    tests: tests
                )
                let type = Array(step.event.utf8)
                if let known = candidates.firstIndex(where: { $0.type == type }) {
                    candidates[known].steps.append(candidate)
                } else {
                    candidates.append(Candidates(type: type, steps: [candidate]))
                }
            }
        }
        breakdowns = funnels.map { $0.breakdown.map(place) }
        self.candidates = candidates
        self.fields = fields
        self.funnels = funnels
    }

    /// Finds the steps that an event matches.
    ///
    /// - Parameters:
    ///   - masks: gets for each funnel the steps as bits, step k as bit k − 1.
    ///   - values: gets for each funnel the number that `text` gives the breakdown value's text, plus 1, where the event
    ///     can start an attempt; else 0.
    /// - Returns: whether it matches any.
    func match(
        _ event: EventFields,
        masks: inout [UInt32],
        values: inout [Int32],
        text: (UnsafeRawBufferPointer) -> Int
    ) -> Bool {
        guard let candidates = candidates.first(where: { $0.type.elementsEqual(bytes: event.type) }) else {
            return false
        }
        for funnel in masks.indices {
            masks[funnel] = 0
            values[funnel] = 0
        }
        var isMatch = false
        for step in candidates.steps {
            if step.needsSession, event.sessionID == nil { continue }
            guard Self.holds(step.tests, event.values) else { continue }
            isMatch = true
            masks[step.funnel] |= step.bit
            if step.bit == 1, let field = breakdowns[step.funnel] {
                values[step.funnel] = Int32(event.values[field].withBreakdownText(text)) + 1
            }
        }
        return isMatch
    }

    private static func holds(_ tests: [FieldTest], _ values: UnsafeBufferPointer<FieldValue>) -> Bool {
        for test in tests {
            let isAccepted =
                switch values[test.field] {
                case .string(let bytes):
                    test.accepted.contains {
                        if case .string(let text) = $0 { text.elementsEqual(bytes: bytes) } else { false }
                    }
                case .number(let number):
                    test.accepted.contains { if case .number(number) = $0 { true } else { false } }
                case .bool(let bool):
                    test.accepted.contains { if case .bool(bool) = $0 { true } else { false } }
                case .absent, .other: false
                }
            guard isAccepted else { return false }
        }
        return true
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
