import FlowEventTestSupport
import FlowEvents
import Funnels

/// Random events and funnels with few distinct values, so that ties, overlaps and repeats are frequent.
package struct RandomFunnels {
    package var generator: SeededGenerator
    /// Whether the funnels have keys of all kinds, not only those of the first version.
    package var hasAllKeys = false
    /// The first moment of events that have no other: 2026-03-01.
    package var start: Int64 = 1_772_323_200_000
    /// The time zones of funnels with all keys.
    package var zones = ["UTC"] + zoneNames
    fileprivate static let zoneNames = ["Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia"]
    private let screens = ["home", "profile", "paywall"]
    private let types = ["screen_view", "purchase"]
    private let sources = ["app://a", "app://b"]

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    package mutating func funnels() throws -> [Funnel] {
        var funnels: [Funnel] = []
        for index in 0..<Int(generator.next() % 3 + 1) {
            var steps: [Step] = []
            for position in 0..<Int(generator.next() % 4 + 1) {
                var conditions: [Condition] = []
                if generator.chance(70) {
                    var values: [PropertyValue] = [.string(generator.pick(screens))]
                    if generator.chance(30) { values.append(.string(generator.pick(screens))) }
                    conditions.append(Condition(.data("screen"), in: values))
                }
                if generator.chance(20) { conditions.append(Condition(.property("n"), is: generator.pick([1, 0.5]))) }
                steps.append(Step(name: "s\(position)", event: generator.pick(types), conditions: conditions))
            }
            if hasAllKeys {
                funnels.append(try funnel(name: "f\(index)", steps))
                continue
            }
            let breakdowns: [Breakdown?] = [nil, "paywall_source", "properties.n"]
            funnels.append(
                try Funnel(
                    name: "f\(index)",
                    count: generator.pick([.installs, .sessions]),
                    window: .milliseconds(generator.pick([1, 500, 30_000, 86_400_000, 200_000_000])),
                    breakdown: generator.pick(breakdowns),
                    steps: steps
                )
            )
        }
        return funnels
    }

    /// Returns a funnel with these steps and random other keys.
    private mutating func funnel(name: String, _ steps: [Step]) throws -> Funnel {
        let steps = steps.enumerated().map { index, step in
            var alternatives = step.alternatives.map { pattern in
                EventPattern(event: pattern.event, conditions: pattern.conditions + conditions())
            }
            while generator.chance(25) { alternatives.append(pattern()) }
            return Step(
                name: step.name,
                any: alternatives,
                sum: generator.chance(40) ? sum() : nil,
                isOptional: index > 0 && index < steps.count - 1 && generator.chance(40)
            )
        }
        let required = steps.filter { !$0.isOptional }
        var exclusions: [Exclusion] = []
        while required.count > 1, generator.chance(40) {
            let from = Int(generator.next() % UInt64(required.count - 1))
            let to = from + 1 + Int(generator.next() % UInt64(required.count - 1 - from))
            exclusions.append(
                Exclusion(
                    any: generator.chance(20) ? [pattern(), pattern()] : [pattern()],
                    from: from == 0 && generator.chance(50) ? nil : required[from].name,
                    to: to == required.count - 1 && generator.chance(50) ? nil : required[to].name
                )
            )
        }
        return try Funnel(
            name: name,
            count: generator.pick([
                .installs, .sessions, .by(.data("paywall_source")), .by(.property("n")), .by(.data("sequence")),
            ]),
            entry: generator.pick([.any, .any, .first]),
            window: .milliseconds(generator.pick([1, 500, 30_000, 86_400_000, 200_000_000])),
            breakdown: breakdown(of: steps),
            timeZone: FunnelTimeZone(stored: generator.pick(zones)),
            exclusions: exclusions,
            next: generator.chance(50) ? next() : nil,
            steps: steps
        )
    }

    /// Returns a pattern that some events match.
    private mutating func pattern() -> EventPattern {
        let screens: [PropertyValue] = [.string(generator.pick(screens)), "settings"]
        return EventPattern(
            event: generator.pick(types),
            conditions: conditions() + [Condition(.data("screen"), .isOneOf(screens))]
        )
    }

    private mutating func breakdown(of steps: [Step]) -> Breakdown? {
        var parts: [Breakdown.Part] = []
        for _ in 0..<Int(generator.next() % 4) {
            let field: Field = generator.pick([.data("paywall_source"), .property("n"), .data("screen")])
            parts.append(Breakdown.Part(field, ofStep: generator.chance(40) ? nil : generator.pick(steps).name))
        }
        if parts.isEmpty { return nil }
        if parts.count == 1, generator.chance(70) { return Breakdown(parts[0].field, ofStep: parts[0].step) }
        return Breakdown(list: parts)
    }

    private mutating func next() -> NextEvent {
        let isAny = generator.chance(50)
        return NextEvent(
            generator.pick(types),
            conditions: isAny ? [] : [Condition(.data("screen"), .exists(true))] + conditions(),
            field: generator.pick([.data("screen"), .property("n")])
        )
    }

    private mutating func conditions() -> [Condition] {
        guard generator.chance(15) else { return [] }
        let tests: [Condition.Test] = [
            .isNoneOf([1, "home"]), .exists(true), .exists(false), .atLeast(1), .lessThan(1), .hasPrefix("p"),
            .contains("o"),
        ]
        let fields: [Field] = [.property("n"), .data("paywall_source")]
        return [Condition(generator.pick(fields), generator.pick(tests))]
    }

    private mutating func sum() -> Sum {
        let fields: [Field] = [.property("n"), .data("sequence"), .data("screen")]
        let units: [Field?] = [nil, .data("paywall_source"), .property("n")]
        return Sum(generator.pick(fields), decimals: Int(generator.next() % 3), unit: generator.pick(units))
    }

    /// Returns distinct events: no two have the same install, source and id.
    package mutating func events(count: Int, installs: Int, days: Int64 = 3) -> [Event] {
        var names: Set<[String]> = []
        var events: [Event] = []
        while events.count < count {
            let id = generator.chance(50) ? uuid() : "e\(generator.next() % 1000)"
            let event = Event(
                id: id,
                source: generator.pick(sources),
                type: generator.pick(types),
                time: Timestamp(milliseconds: start + time(within: days)),
                installID: "install-\(generator.next() % UInt64(installs))",
                sessionID: generator.pick([nil, "", "s1", "s2", "5b0c7a52-19e6-4f6e-8a43-0c1f6d1e2b3a"]),
                sequence: generator.chance(2) ? 9_007_199_254_740_991 : generator.pick([nil, 0, 1, 2, 5, 40]),
                screen: generator.pick([nil, "home", "profile", "paywall", "settings"]),
                paywallSource: generator.pick([nil, "home", "profile", "1"]),
                properties: generator.pick([[:], ["n": 1], ["n": 0.5], ["n": "1"], ["n": true]])
            )
            if names.insert([event.installID, event.source, event.id]).inserted { events.append(event) }
        }
        return events
    }

    /// Picks the first and the last day of a report, each `nil` for no bound. The first day is never after the last.
    package mutating func days(among choices: [Day?]) -> (from: Day?, to: Day?) {
        let (first, second) = (generator.pick(choices), generator.pick(choices))
        guard let from = first, let to = second else { return (first, second) }
        return (min(from, to), max(from, to))
    }

    private mutating func time(within days: Int64) -> Int64 {
        let moment = Int64(generator.next() % UInt64(days * 86_400_000))
        // Coarse times cause ties. Times around midnight and about one window apart test the bounds.
        return switch generator.next() % 4 {
        case 0: moment / 10_000_000 * 10_000_000
        case 1: moment / 86_400_000 * 86_400_000 + generator.pick([-1, 0, 1, 500, 501, 30_000])
        case 2: generator.pick([0, 1, 2, 500, 30_000, 30_001])
        default: moment
        }
    }

    /// Returns a random UUID in lower case.
    package mutating func uuid() -> String {
        func hex(_ value: UInt64, _ width: Int) -> String {
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits.suffix(width)
        }
        let (high, low) = (generator.next(), generator.next())
        let text = hex(high, 16) + hex(low, 16)
        let characters = Array(text)
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(characters[$0]) }
        let uuid = groups.joined(separator: "-")
        // An upper-case UUID is a different id.
        return generator.chance(10) ? uuid.uppercased() : uuid
    }
}

extension TimeZoneTables {
    /// The transitions of the time zones of random funnels. Finding those of one takes longer than a test case.
    package static let random: TimeZoneTables = {
        var tables = TimeZoneTables()
        for table in RandomFunnels.zoneNames.compactMap({ TimeZoneTable(named: $0) }) { tables.set(table) }
        return tables
    }()
}
