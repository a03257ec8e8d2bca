import FlowEvents

// What a funnel takes from an install's events.
extension InstallState {
    /// The text by which a breakdown shows the value of a field of an event.
    mutating func text(_ field: Int, of content: EventContents.Index) -> StringTable.Index {
        let value = contents.value(content, field: field)
        // A string is its own text.
        if value.isString, let text = value.text { return text }
        let text = value.withValue(strings) { $0.withBreakdownText { Array($0) } }
        return strings.intern(text)
    }

    /// What an event adds to a sum.
    mutating func detail(_ sum: FunnelValues.SumField, of content: EventContents.Index) -> OutcomeDetail {
        let amount = contents.value(content, field: sum.field).withValue(strings) { value -> Int64? in
            guard case .number(let number) = value else { return nil }
            return Sum.amount(of: number.double, scale: sum.scale)
        }
        guard let amount else { return OutcomeDetail(subject: .sum(step: sum.step)) }
        let unit = sum.unit.map { text($0, of: content) } ?? strings.intern("(none)".utf8)
        return OutcomeDetail(subject: .sum(step: sum.step), text: unit, amount: amount)
    }

    /// The actor of an event; `nil` where installs are counted, and for an event without one.
    mutating func actor(
        of event: Evidence,
        _ rules: FunnelRules,
        _ values: FunnelValues
    ) -> CompactIndex<StringTable> {
        switch rules.actors {
        case .installs: CompactIndex(wrappedValue: nil)
        case .sessions: event.$session
        case .values: CompactIndex(wrappedValue: values.actor.map { text($0, of: event.content) })
        }
    }
}
