import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct FunnelMatcherTests {
    /// The value of a field as JSON can have it.
    private enum Given {
        case absent
        case other
        case value(PropertyValue)

        var value: PropertyValue? { if case .value(let value) = self { value } else { nil } }
    }

    /// What a matcher found, with texts in place of indices.
    private struct Found: Equatable {
        var isMatch = false
        var steps: [UInt32] = []
        var exclusions: [UInt32] = []
        var isNext: [Bool] = []
    }

    private static func isDigits(_ number: FieldNumber) -> Bool {
        if case .digits = number { true } else { false }
    }

    private static func match(
        _ matcher: FunnelMatcher,
        type: String,
        hasSession: Bool,
        _ given: [Field: Given]
    ) -> Found {
        var bytes: [UInt8] = Array(type.utf8) + [115]
        let ranges = matcher.fields.map { field -> Range<Int> in
            // The digits of a large integer are bytes of the event, like a string.
            let text: String
            switch given[field]?.value?.kind {
            case .string(let string)?: text = string
            case .number(let number)? where number.withFieldNumber(Self.isDigits): text = number.description
            default: return 0..<0
            }
            bytes += Array(text.utf8)
            return (bytes.count - text.utf8.count)..<bytes.count
        }
        return bytes.withUnsafeBytes { bytes in
            func view(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }
            let values = zip(matcher.fields, ranges).map { field, range -> FieldValue in
                guard case .value(let value) = given[field] ?? .absent else {
                    return if case .other = given[field] { .other } else { .absent }
                }
                return switch value.kind {
                case .string: .string(view(range))
                case .number(let number):
                    .number(range.isEmpty ? number.withFieldNumber { $0 } : .digits(view(range)))
                case .bool(let bool): .bool(bool)
                }
            }
            return values.withUnsafeBufferPointer { values in
                // What another event meant must not be left over.
                var matches = matcher.funnels.map { _ in FunnelMatch(steps: 5, exclusions: 3) }
                guard let number = matcher.type(view(0..<type.utf8.count)),
                    matcher.match(number, values, into: &matches),
                    hasSession || matcher.isNeededWithoutSession(matches)
                else { return Found() }
                // Whether the event has a session matters where its actor is found.
                for (index, funnel) in matcher.funnels.enumerated() where funnel.count == .sessions && !hasSession {
                    matches[index] = FunnelMatch()
                }
                return Found(
                    isMatch: true,
                    steps: matches.map(\.steps),
                    exclusions: matches.map(\.exclusions),
                    isNext: matches.map(\.isNext)
                )
            }
        }
    }

    /// The rules 1, 2, 11, 12, 14, 20 and 23 for one event.
    private static func expected(
        _ funnels: [Funnel],
        type: String,
        hasSession: Bool,
        _ given: [Field: Given]
    ) -> Found {
        func value(_ field: Field) -> PropertyValue? { given[field]?.value }
        func holds(_ patterns: [EventPattern]) -> Bool {
            patterns.contains { pattern in
                pattern.event.utf8.elementsEqual(type.utf8)
                    && pattern.conditions.allSatisfy { $0.test.holds(for: value($0.field)) }
            }
        }
        var found = Found()
        for funnel in funnels {
            let takesPart =
                switch funnel.count {
                case .installs: true
                case .sessions: hasSession
                case .by(let field): value(field) != nil
                }
            let steps = funnel.steps.map { takesPart && holds($0.alternatives) }
            var gaps: Set<Int> = []
            for exclusion in funnel.exclusions where takesPart && holds(exclusion.alternatives) {
                let names = funnel.steps.filter { !$0.isOptional }.map { Array($0.name.utf8) }
                let from = exclusion.from.flatMap { names.firstIndex(of: Array($0.utf8)) } ?? 0
                let to = exclusion.to.flatMap { names.firstIndex(of: Array($0.utf8)) } ?? names.count - 1
                gaps.formUnion(from..<to)
            }
            let isOfActor = funnel.count != .sessions || hasSession
            let isNext = funnel.next.map { isOfActor && holds([$0.pattern]) } ?? false
            found.isMatch = found.isMatch || isNext || steps.contains(true) || !gaps.isEmpty
            found.isNext.append(isNext)
            found.steps.append(steps.indices.reduce(0) { $0 | (steps[$1] ? 1 << UInt32($1) : 0) })
            found.exclusions.append(gaps.reduce(0) { $0 | 1 << UInt32($1) })
        }
        return found.isMatch ? found : Found()
    }

    @Test(arguments: Seeds.upTo(300))
    func `a matcher finds what the rules say, for random funnels and events`(seed: UInt64) throws {
        var random = RandomDefinitions(seed: seed)
        let funnels = try (0..<random.count(1...4)).map { try random.funnel(name: "f\($0)", timeZone: .utc) }
        let events = funnels.flatMap(\.patterns).map(\.event) + ["other"]
        // The values that conditions name, and their neighbors.
        let conditions = funnels.flatMap(\.patterns).flatMap(\.conditions)
        let named = conditions.flatMap { Self.values(of: $0.test) }
        let matcher = FunnelMatcher(funnels: funnels)
        for _ in 0..<60 {
            var given: [Field: Given] = [:]
            for field in matcher.fields {
                given[field] =
                    switch random.generator.next() % 10 {
                    case 0: .absent
                    case 1: .other
                    case 2...5: .value(named.isEmpty ? random.value() : random.generator.pick(named))
                    case 6: .value(.number(random.generator.pick([1.5, 0.29, -0.01, 1e10, 1e12, 1e300, 7.0005])))
                    default: .value(random.value())
                    }
            }
            let (type, hasSession) = (random.generator.pick(events), random.generator.chance(70))
            let found = Self.match(matcher, type: type, hasSession: hasSession, given)
            let expected = Self.expected(funnels, type: type, hasSession: hasSession, given)
            try #require(found == expected, "seed \(seed), type \(type), \(given), \(funnels)")
        }
    }

    @Test func `texts that differ only in the form of a character are different`() throws {
        // The same letter as one character, and as an e with an accent behind it.
        let texts = ["\u{E9}", "e\u{301}"]
        let tests = texts.flatMap { [Condition.Test.hasPrefix($0), .contains($0), .is(.string($0))] }
        let funnels = try tests.enumerated().map { index, test in
            try Funnel(name: "f\(index)", window: .seconds(1)) { Step(name: "a", event: "view").where("screen", test) }
        }
        #expect(Set(funnels.map { $0.steps[0].alternatives }).count == 6)
        let matcher = FunnelMatcher(funnels: funnels)
        for (text, steps) in zip(texts, [[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]] as [[UInt32]]) {
            let given: [Field: Given] = ["screen": .value(.string(text))]
            #expect(Self.match(matcher, type: "view", hasSession: true, given).steps == steps)
        }
    }

    private static func values(of test: Condition.Test) -> [PropertyValue] {
        switch test {
        case .isOneOf(let values), .isNoneOf(let values): values
        case .greaterThan(let bound), .atLeast(let bound), .lessThan(let bound), .atMost(let bound):
            [.number(bound), .number(bound.double.nextUp), .number(bound.double.nextDown)]
                + (bound.integer.map { [.number($0 &+ 1), .number($0 &- 1)] } ?? [])
        case .hasPrefix(let text), .contains(let text):
            [.string(text), .string(text + "x"), .string("x" + text), .string("x" + text + "y")]
        case .exists: []
        }
    }

    @Test(
        arguments: [
            (19.99, 2, 1999), (0.1, 1, 1), (0.29, 2, 29), (1.005, 2, nil), (4.35, 2, 435), (-4.35, 2, -435), (0, 0, 0),
            (-0.0, 2, 0), (0.001, 0, 0), (0.0011, 0, nil), (-0.001, 0, 0), (0.9991, 0, 1), (0.9989, 0, nil),
            (1e-9, 6, 0),
            (1_099_511_627_776, 0, 1_099_511_627_776), (-1_099_511_627_776, 0, -1_099_511_627_776),
            (1_099_511_627_777, 0, nil), (-1_099_511_627_777, 0, nil), (1_099_511.627_776, 6, 1_099_511_627_776),
            (1e300, 6, nil), (1e308, 6, nil), (.infinity, 0, nil), (-.infinity, 0, nil), (.nan, 0, nil), (0.5, 0, nil),
            (0.49999999999999994, 0, nil), (2.675, 3, 2675), (123_456_789.12, 2, 12_345_678_912),
        ] as [(Double, Int, Int64?)]
    )
    func `an amount is the nearest integer, or none`(number: Double, decimals: Int, amount: Int64?) {
        #expect(Sum.amount(of: number, scale: Sum("x", decimals: decimals).scale) == amount)
    }

    @Test func `an event without the field of the actor takes no part, and its exclusions neither`() throws {
        let funnel = try Funnel(name: "f", count: .by("presentation_id"), window: .seconds(1)) {
            Step(name: "a", event: "view")
            Step(name: "b", event: "buy")
            Exclusion(event: "close")
        }
        let matcher = FunnelMatcher(funnels: [funnel])
        for given in [Given.absent, .other] {
            for type in ["view", "close"] {
                let found = Self.match(matcher, type: type, hasSession: true, ["presentation_id": given])
                #expect(found == Found())
            }
        }
        let closing = Self.match(matcher, type: "close", hasSession: false, ["presentation_id": .value(7)])
        #expect(closing.steps == [0] && closing.exclusions == [1])
    }

    @Test func `what an event means is not left over for the next one`() throws {
        let funnel = try Funnel(name: "f", count: .by("k"), window: .seconds(1)) {
            Step(name: "a", event: "view").summing("n")
            Step(name: "b", event: "buy")
            Exclusion(event: "view").where("x", .is(true))
        }
        let matcher = FunnelMatcher(funnels: [funnel])
        let all: [Field: Given] = ["k": .value("1"), "n": .value(5), "x": .value(true)]
        let first = Self.match(matcher, type: "view", hasSession: true, all)
        #expect(first.exclusions == [1])
        let second = Self.match(matcher, type: "buy", hasSession: true, all)
        #expect(second.steps == [2] && second.exclusions == [0])
    }

    @Test func `any number of conditions are met by their own values only`() throws {
        let funnels = try (0..<50).map { number in
            try Funnel(name: "f\(number)", window: .seconds(1)) {
                Step(name: "a", event: "view").where("screen", .is(.string("s\(number)"), "all"))
                    .where("n", .is(.number(Double(number / 2))))
                Step(name: "b", event: "view").where("screen", .is(.string("s\(number)")))
            }
        }
        let matcher = FunnelMatcher(funnels: funnels)
        for number in 0..<50 {
            for screen in ["s\(number)", "all", "other"] {
                let given: [Field: Given] = [
                    "screen": .value(.string(screen)), "n": .value(.number(Double(number / 2))),
                ]
                let found = Self.match(matcher, type: "view", hasSession: true, given)
                #expect(found == Self.expected(funnels, type: "view", hasSession: true, given))
                #expect(found.isMatch == (screen != "other"))
            }
        }
    }
}
