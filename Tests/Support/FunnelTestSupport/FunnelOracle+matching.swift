import FlowEvents
import Funnels

/// What an event is to a funnel.
extension FunnelOracle {
    // Nil where the event takes no part in the funnel.
    static func actor(_ event: Event, of funnel: Funnel) -> [String]? {
        switch funnel.count {
        case .installs: [event.installID]
        case .sessions: event.sessionID.flatMap { $0.isEmpty ? nil : [event.installID, $0] }
        case .by(let field): value(of: field, in: event).map { [event.installID, text($0)] }
        }
    }

    /// Whether the event takes part, or tells where somebody went next.
    static func isNeeded(_ event: Event, of funnel: Funnel) -> Bool {
        isPart(event, of: funnel) || isNext(event, of: funnel)
    }

    // Rule 23. The event need not belong to the actor.
    static func isNext(_ event: Event, of funnel: Funnel) -> Bool {
        guard let next = funnel.next, passes(event, next.pattern) else { return false }
        return funnel.count != .sessions || actor(event, of: funnel) != nil
    }

    // Rules 1 and 11.
    private static func passes(_ event: Event, _ pattern: EventPattern) -> Bool {
        pattern.event == event.type
            && pattern.conditions.allSatisfy { $0.test.holds(for: value(of: $0.field, in: event)) }
    }

    static func isPart(_ event: Event, of funnel: Funnel) -> Bool {
        let matches = matches(event, of: funnel)
        return (!matches.isEmpty || !gaps(event, of: funnel).isEmpty) && actor(event, of: funnel) != nil
    }

    // Rule 20.
    static func matches(_ event: Event, of funnel: Funnel) -> [Int] {
        funnel.steps.indices.filter { index in
            funnel.steps[index].alternatives.contains { passes(event, $0) }
        }
    }

    // Rules 14 and 21: the numbers of the required steps, from 0, after which the event ends an attempt.
    static func gaps(_ event: Event, of funnel: Funnel) -> [Int] {
        funnel.exclusions.flatMap { exclusion -> [Int] in
            guard exclusion.alternatives.contains(where: { passes(event, $0) }) else { return [] }
            let names = funnel.steps.filter { !$0.isOptional }.map(\.name)
            let from = exclusion.from.flatMap { names.firstIndex(of: $0) } ?? 0
            let to = exclusion.to.flatMap { names.firstIndex(of: $0) } ?? names.count - 1
            return Array(from..<max(from, to))
        }
    }

    static func value(of field: Field, in event: Event) -> PropertyValue? {
        func text(_ string: String?) -> PropertyValue? { string.map(PropertyValue.string) }
        switch field {
        case .property(let name):
            // Longer strings are absent.
            if case .string(let string) = event.properties[name], string.utf8.count > 1024 { return nil }
            return event.properties[name]
        case .data("install_id"): return .string(event.installID)
        // In these two, an empty string is an absent one.
        case .data("session_id"): return text(event.sessionID?.isEmpty ?? true ? nil : event.sessionID)
        case .data("user_id"): return text(event.userID?.isEmpty ?? true ? nil : event.userID)
        case .data("sequence"): return event.sequence.map { .number($0) }
        case .data("screen"): return text(event.screen)
        case .data("previous_screen"): return text(event.previousScreen)
        case .data("transition"): return text(event.transition)
        case .data("presentation_id"): return text(event.presentationID)
        case .data("paywall_source"): return text(event.paywallSource)
        case .data: return nil
        }
    }

    static func text(_ value: PropertyValue?) -> String {
        switch value?.kind {
        case .string(let string): string
        case .number(let number): number.description
        case .bool(let bool): String(bool)
        case nil: "(none)"
        }
    }
}
