import FlowEvents
import Foundation
import Funnels

/// An event of an actor, with what it means to a funnel.
struct OracleEvent {
    let event: Event
    /// The indices of the steps that it matches.
    let steps: [Int]
    /// The numbers of the required steps, from 0, after which it ends an attempt.
    let gaps: [Int]
    private let key: [Int64]

    init(_ event: Event, of funnel: Funnel) {
        self.event = event
        steps = FunnelOracle.matches(event, of: funnel)
        gaps = FunnelOracle.gaps(event, of: funnel)
        let lowestStep = steps.min().map { $0 + 1 } ?? 0
        key = [event.time.milliseconds, event.sequence ?? 0, Int64(lowestStep)]
    }

    /// The order of rule 3.
    func precedes(_ other: OracleEvent) -> Bool {
        if key != other.key { return key.lexicographicallyPrecedes(other.key) }
        let (left, right) = (event, other.event)
        if left.id != right.id { return Array(left.id.utf8).lexicographicallyPrecedes(Array(right.id.utf8)) }
        return Array(left.source.utf8).lexicographicallyPrecedes(Array(right.source.utf8))
    }
}

/// An attempt as the brute force finds it.
struct OracleAttempt {
    let actor: [String]
    /// The index of its first event among the actor's events, in the order of rule 3.
    let order: Int
    let day: Day
    /// What the parts of the breakdown show.
    let values: [String]
    /// The events that met the steps, by the index of the step.
    private(set) var events: [Int: Event] = [:]
    /// The number of required steps met.
    private(set) var depth = 1
    private(set) var isExcluded = false
    /// How many events match step 1 from the first to the last.
    private(set) var entryCount = 0
    /// Where the actor went next.
    private(set) var next: String?

    /// - Parameters:
    ///   - ordered: the actor's events, in order.
    ///   - nextEvents: the events that tell where the actor went, in order.
    init(
        from first: Int,
        of ordered: [OracleEvent],
        nextEvents: [OracleEvent],
        actor: [String],
        _ funnel: Funnel,
        _ zone: TimeZone?
    ) {
        self.actor = actor
        order = first
        let start = ordered[first].event
        let end = start.time.milliseconds + funnel.windowMilliseconds
        day = Self.day(of: start.time, in: funnel.timeZone == .utc ? nil : zone)
        let required = funnel.steps.indices.filter { !funnel.steps[$0].isOptional }
        // The places of the events that met the steps.
        var places = [0: first]
        var endPlace: Int?
        for index in ordered.indices where index > first {
            guard depth < required.count, ordered[index].event.time.milliseconds <= end else { break }
            if ordered[index].steps.contains(required[depth]) {
                places[required[depth]] = index
                depth += 1
            } else if ordered[index].gaps.contains(depth - 1) {
                isExcluded = true
                endPlace = index
                break
            }
        }
        let last = places[required[depth - 1]] ?? first
        // Rule 16.
        entryCount = ordered[first...last].count { $0.steps.contains(0) }
        // Rule 21.
        for (number, step) in required.prefix(depth).enumerated() where number + 1 < required.count {
            var place = places[step] ?? first
            let bound = places[required[number + 1]] ?? endPlace ?? ordered.count
            for optional in (step + 1)..<required[number + 1] {
                let met = ordered.indices.first { index in
                    index > place && index < bound && ordered[index].steps.contains(optional)
                        && ordered[index].event.time.milliseconds <= end
                }
                guard let met else { continue }
                places[optional] = met
                place = met
            }
        }
        events = places.mapValues { ordered[$0].event }
        let met = events
        // Rule 22.
        values = (funnel.breakdown?.parts ?? []).map { part in
            let step = part.step.flatMap { name in funnel.steps.firstIndex { $0.name == name } } ?? 0
            return met[step].map { FunnelOracle.text(FunnelOracle.value(of: part.field, in: $0)) } ?? "(not reached)"
        }
        // Rule 23.
        guard let question = funnel.next, depth < required.count else { return }
        let found = nextEvents.first { ordered[last].precedes($0) && $0.event.time.milliseconds <= end }
        next = found.map { FunnelOracle.text(FunnelOracle.value(of: question.field, in: $0.event)) } ?? "(nothing)"
    }

    /// The milliseconds from the first event to that of a step; `nil` where the attempt did not meet it.
    func time(toStep step: Int) -> Int64? {
        guard let event = events[step], let first = events[0] else { return nil }
        return event.time.milliseconds - first.time.milliseconds
    }

    private static func day(of time: Timestamp, in zone: TimeZone?) -> Day {
        guard let zone else { return Day(containing: time) }
        let moment = Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
        return Day(containing: time.advanced(bySeconds: zone.secondsFromGMT(for: moment)))
    }
}

extension Timestamp {
    fileprivate func advanced(bySeconds seconds: Int) -> Timestamp {
        Timestamp(milliseconds: milliseconds + Int64(seconds) * 1000)
    }
}
