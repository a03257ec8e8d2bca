import FlowEventTestSupport
import FlowEvents
import Funnels

/// Random funnels with every key of a definition, for tests of their forms. Equal seeds give equal funnels.
package struct RandomDefinitions {
    package var generator: SeededGenerator
    /// Whether the funnels can be written to a file: at most one condition on a field.
    package var isForFiles = false
    private static let texts = ["home", "é", "e\u{301}", "\u{0}\u{1F}\"\\/", "🎉", "", "properties.x", "1"]
    private static let paths = ["screen", "properties.a.b", "é", "properties.e\u{301}", "17", "user_id"]

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    package mutating func funnel(name: String, timeZone: FunnelTimeZone? = nil) throws -> Funnel {
        let stepCount = count(1...6)
        let steps = (0..<stepCount).map { index in
            let step = step(name: "\(generator.pick(Self.texts))-\(index)")
            return index > 0 && index < stepCount - 1 && generator.chance(30) ? step.optional() : step
        }
        let required = steps.filter { !$0.isOptional }
        let exclusions = steps.count > 1 ? (0..<count(0...2)).map { _ in exclusion(of: required) } : []
        let breakdown = generator.chance(50) ? breakdown(of: steps) : nil
        let isTest = breakdown.map { $0.parts.count == 1 && [nil, steps[0].name].contains($0.parts[0].step) } ?? false
        return try Funnel(
            name: name,
            description: generator.chance(50) ? "d" + generator.pick(Self.texts) : nil,
            count: generator.pick([.installs, .sessions, .by(field())]),
            entry: generator.pick(Entry.allCases),
            window: .milliseconds(Int64(generator.next() % UInt64(Funnel.maximumWindow)) + 1),
            breakdown: breakdown,
            timeZone: try timeZone ?? FunnelTimeZone(generator.pick(["UTC", "Europe/Berlin", "Asia/Tokyo"])),
            exclusions: exclusions,
            next: generator.chance(40) ? next() : nil,
            experiment: isTest && generator.chance(50) ? experiment() : nil,
            steps: steps
        )
    }

    private mutating func breakdown(of steps: [Step]) -> Breakdown {
        let parts = (0..<count(1...3)).map { _ in
            Breakdown.Part(field(), ofStep: generator.chance(50) ? nil : generator.pick(steps).name)
        }
        let isText = parts.count == 1 && generator.chance(60)
        return isText ? Breakdown(parts[0].field, ofStep: parts[0].step) : Breakdown(list: parts)
    }

    private mutating func next() -> NextEvent {
        let pattern = pattern()
        return NextEvent(pattern.event, conditions: pattern.conditions, field: field())
    }

    private mutating func experiment() -> Experiment {
        let values = ["plain", "é", "1"]
        let shares = generator.chance(50) ? [] : values.map { Experiment.Share($0, Double(count(1...9)) / 2) }
        return Experiment(control: generator.pick(values), shareList: shares)
    }

    package mutating func field() -> Field { Field(path: generator.pick(Self.paths)) ?? "x" }

    package mutating func value() -> PropertyValue {
        switch generator.next() % 5 {
        case 0: .string(generator.pick(Self.texts))
        case 1: .number(finite())
        case 2: .number(whole())
        case 3: .number(count(-3...3))
        default: .bool(generator.chance(50))
        }
    }

    package mutating func test() -> Condition.Test {
        switch generator.next() % 12 {
        case 0: .isNoneOf(values())
        case 1: .exists(generator.chance(50))
        case 2: .greaterThan(generator.chance(50) ? finite() : whole())
        case 3: .atLeast(generator.chance(50) ? PropertyNumber(count(-3...3)) : whole())
        case 4: .lessThan(generator.chance(50) ? finite() : whole())
        case 5: .atMost(generator.chance(50) ? PropertyNumber(count(-3...3)) : whole())
        case 6: .hasPrefix(generator.pick(Self.texts))
        case 7: .contains(generator.pick(Self.texts))
        default: .isOneOf(values())
        }
    }

    package mutating func sum() -> Sum {
        Sum(field(), decimals: count(Sum.decimalsRange), unit: generator.chance(50) ? field() : nil)
    }

    private mutating func step(name: String) -> Step {
        Step(name: name, any: patterns(), sum: generator.chance(30) ? sum() : nil)
    }

    private mutating func patterns() -> [EventPattern] {
        (0..<(generator.chance(70) ? 1 : count(2...4))).map { _ in pattern() }
    }

    private mutating func pattern() -> EventPattern {
        EventPattern(event: "e" + generator.pick(Self.texts), conditions: conditions())
    }

    private mutating func exclusion(of steps: [Step]) -> Exclusion {
        let from = count(0...(steps.count - 2))
        let to = count((from + 1)...(steps.count - 1))
        return Exclusion(
            any: patterns(),
            from: from == 0 && generator.chance(50) ? nil : steps[from].name,
            to: to == steps.count - 1 && generator.chance(50) ? nil : steps[to].name
        )
    }

    private mutating func conditions() -> [Condition] {
        let conditions = (0..<count(0...3)).map { _ in Condition(field(), test()) }
        guard isForFiles else { return conditions }
        var fields: Set<Field> = []
        return conditions.filter { fields.insert($0.field).inserted }
    }

    private mutating func values() -> [PropertyValue] { (0..<count(1...3)).map { _ in value() } }

    private mutating func finite() -> PropertyNumber {
        let number = Double(bitPattern: generator.next())
        return PropertyNumber(number.isFinite ? number : 0)
    }

    /// An integer that no double holds, most of the time: near the bounds of 53 and 64 bits, and beyond.
    private mutating func whole() -> PropertyNumber {
        let near = ["9007199254740992", "738529527931269425", "9223372036854775807", "18446744073709551615"]
        let digits = generator.pick(near).dropLast() + String(count(0...9))
        let sign = generator.chance(30) ? "-" : ""
        return PropertyNumber(decimal: sign + digits + (generator.chance(20) ? "0001" : "")) ?? 0
    }

    package mutating func count(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(generator.next() % UInt64(range.count))
    }
}
