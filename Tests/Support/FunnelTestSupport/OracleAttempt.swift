import FlowEvents
import Foundation
import Funnels

/// An event of an actor, with what it means to a funnel.
struct OracleEvent {
    let event: Event
    /// The indices of the steps that it matches.
    let steps: [Int]
    /// The indices of the steps after which it ends an attempt.
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
    let value: String
    /// The events that met the steps.
    private(set) var events: [Event]
    private(set) var isExcluded = false
    /// How many events match step 1 from the first to the last.
    let entryCount: Int

    /// The times of ``events``.
    var times: [Int64] { events.map(\.time.milliseconds) }

    /// - Parameter ordered: the actor's events, in order.
    init(from first: Int, of ordered: [OracleEvent], actor: [String], _ funnel: Funnel, _ zone: TimeZone?) {
        self.actor = actor
        order = first
        let start = ordered[first].event
        value = funnel.breakdown.map { FunnelOracle.text(FunnelOracle.value(of: $0, in: start)) } ?? ""
        day = Self.day(of: start.time, in: funnel.timeZone == .utc ? nil : zone)
        events = [start]
        var last = first
        for index in ordered.indices where index > first {
            let event = ordered[index].event
            guard events.count < funnel.steps.count,
                event.time.milliseconds <= start.time.milliseconds + funnel.windowMilliseconds
            else { break }
            if ordered[index].steps.contains(events.count) {
                events.append(event)
                last = index
            } else if ordered[index].gaps.contains(events.count - 1) {
                isExcluded = true
                break
            }
        }
        entryCount = ordered[first...last].count { $0.steps.contains(0) }
    }

    /// The event that met a step, by the index of the step.
    func event(ofStep step: Int) -> Event? { events.indices.contains(step) ? events[step] : nil }

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
