import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Funnels
import Testing

@Suite struct CountingIdentityTests {
    private func funnel(
        description: String? = nil,
        count: Counting = .installs,
        window: Duration = .seconds(1),
        breakdown: Breakdown? = nil,
        step: String = "s",
        event: String = "e",
        conditions: [Condition] = [Condition(.data("a"), in: [1, 2]), Condition(.data("b"), is: "x")]
    ) throws -> Funnel {
        let steps = [Step(name: step, event: event, conditions: conditions)]
        return try Funnel(
            name: "f",
            description: description,
            count: count,
            window: window,
            breakdown: breakdown,
            steps: steps
        )
    }

    @Test func `a description takes no part in what is counted`() throws {
        #expect(try funnel(description: "one").countsLike(funnel(description: "two")))
    }

    @Test func `the order of conditions and of their values changes nothing`() throws {
        let turned = [Condition(.data("b"), is: "x"), Condition(.data("a"), in: [2, 1, 2])]
        #expect(try funnel().countsLike(funnel(conditions: turned)))
    }

    @Test func `everything else makes another funnel`() throws {
        let others = [
            try funnel(count: .sessions), try funnel(window: .seconds(2)), try funnel(breakdown: "a"),
            try funnel(event: "f"), try funnel(step: "t"), try funnel(conditions: []),
            try funnel(conditions: [Condition(.property("a"), in: [1, 2]), Condition(.data("b"), is: "x")]),
        ]
        for other in others {
            #expect(try !funnel().countsLike(other), "\(other)")
        }
    }

    @Test func `equal numbers make no other funnel, and a value that nothing equals none either`() throws {
        func funnel(_ values: [PropertyValue]) throws -> Funnel {
            try self.funnel(conditions: [Condition("a", in: values)])
        }
        #expect(try funnel([0, 1, 0.5]).countsLike(funnel([-0.0, 1.0, .number(.nan), 0.5])))
        #expect(try !funnel([9_007_199_254_740_992]).countsLike(funnel([9_007_199_254_740_993])))
        #expect(try !funnel(["inf"]).countsLike(funnel([.number(.infinity)])))
    }

    @Test func `canonically equivalent texts are different`() throws {
        #expect(try !funnel(event: "\u{E9}").countsLike(funnel(event: "e\u{301}")))
        let composed = [Condition(.data("\u{E9}"), is: "x")]
        let decomposed = [Condition(.data("e\u{301}"), is: "x")]
        #expect(try !funnel(conditions: composed).countsLike(funnel(conditions: decomposed)))
    }

    @Test(arguments: Seeds.upTo(200))
    func `each changed key makes another funnel`(seed: UInt64) throws {
        var random = RandomDefinitions(seed: seed)
        let funnel = try random.funnel(name: "f")
        for (key, other) in try Self.variants(of: funnel, &random) {
            #expect(!funnel.countsLike(other) && !other.countsLike(funnel), "\(key): \(funnel)")
            #expect(!other.changes(since: funnel).isEmpty, "\(key): \(funnel)")
        }
    }

    private static func variants(
        of funnel: Funnel,
        _ random: inout RandomDefinitions
    ) throws -> [(key: String, funnel: Funnel)] {
        let (steps, exclusions) = (funnel.steps, funnel.exclusions)
        let step = random.count(0...(steps.count - 1))
        let sum = Sum("properties.other", decimals: 3, unit: "properties.unit")
        func variant(
            count: Counting? = nil,
            entry: Entry? = nil,
            window: Duration? = nil,
            breakdown: Breakdown?? = nil,
            timeZone: FunnelTimeZone? = nil,
            exclusions: [Exclusion]? = nil,
            next: NextEvent?? = nil,
            _ change: ((Step) -> Step)? = nil
        ) throws -> Funnel {
            var steps = steps
            if let change { steps[step] = change(steps[step]) }
            return try Funnel(
                name: funnel.name,
                description: "another description",
                count: count ?? funnel.count,
                entry: entry ?? funnel.entry,
                window: window ?? funnel.window,
                breakdown: breakdown ?? funnel.breakdown,
                timeZone: timeZone ?? funnel.timeZone,
                exclusions: exclusions ?? funnel.exclusions,
                next: next ?? funnel.next,
                steps: steps
            )
        }
        func summing(_ sum: Sum?) -> (Step) -> Step {
            { Step(name: $0.name, any: $0.alternatives, sum: sum, isOptional: $0.isOptional) }
        }
        var variants: [(String, Funnel)] = [
            ("count", try variant(count: funnel.count == .sessions ? .installs : .sessions)),
            ("count by", try variant(count: .by("another"))),
            ("entry", try variant(entry: funnel.entry == .any ? .first : .any)),
            ("window", try variant(window: .milliseconds(funnel.windowMilliseconds % 1000 + 1001))),
            ("breakdown", try variant(breakdown: funnel.breakdown == "another" ? .some(nil) : "another")),
            ("list", try variant(breakdown: Breakdown(list: [.init("another")]))),
            ("next", try variant(next: NextEvent("another", field: "screen"))),
            ("next field", try variant(next: NextEvent("e", field: "another"))),
            ("any", try variant { $0.adding(EventPattern(event: "another")) }),
            ("timezone", try variant(timeZone: FunnelTimeZone("America/New_York"))),
            ("where", try variant { $0.where("another", .isPresent) }),
            ("sum", try variant(summing(sum))),
            ("sum field", try variant(summing(Sum("properties.b", decimals: 3, unit: "properties.unit")))),
            ("sum unit", try variant(summing(Sum("properties.other", decimals: 3)))),
        ]
        if let sum = steps[step].sum {
            let decimals = (sum.decimals + 1) % 7
            variants += [
                ("no sum", try variant(summing(nil))),
                ("decimals", try variant(summing(Sum(sum.field, decimals: decimals, unit: sum.unit)))),
            ]
        }
        if steps.count > 1 {
            variants.append(("exclude", try variant(exclusions: exclusions + [Exclusion(event: "another")])))
        }
        if !exclusions.isEmpty {
            let first = exclusions[0].where("another", .isNot(1))
            variants.append(("exclude where", try variant(exclusions: [first] + exclusions.dropFirst())))
        }
        return variants
    }

    @Test(arguments: Seeds.upTo(100))
    func `the order of conditions, values and exclusions makes no other funnel`(seed: UInt64) throws {
        var random = RandomDefinitions(seed: seed)
        let funnel = try random.funnel(name: "f")
        func turned(_ conditions: [Condition]) -> [Condition] {
            conditions.reversed().map { condition in
                switch condition.test {
                case .isOneOf(let values): Condition(condition.field, .isOneOf(values.reversed()))
                case .isNoneOf(let values): Condition(condition.field, .isNoneOf(values.reversed()))
                default: condition
                }
            }
        }
        func turned(_ patterns: [EventPattern]) -> [EventPattern] {
            patterns.reversed().map { EventPattern(event: $0.event, conditions: turned($0.conditions)) }
        }
        let other = try Funnel(
            name: funnel.name,
            count: funnel.count,
            entry: funnel.entry,
            window: funnel.window,
            breakdown: funnel.breakdown,
            timeZone: funnel.timeZone,
            // Naming the first and the last step says what leaving them out says.
            exclusions: funnel.exclusions.reversed().map { exclusion in
                Exclusion(
                    any: turned(exclusion.alternatives),
                    from: exclusion.from ?? funnel.steps.first?.name,
                    to: exclusion.to ?? funnel.steps.last?.name
                )
            },
            next: funnel.next,
            steps: funnel.steps.map { step in
                Step(name: step.name, any: turned(step.alternatives), sum: step.sum, isOptional: step.isOptional)
            }
        )
        #expect(funnel.countsLike(other) && other.changes(since: funnel).isEmpty)
    }

    @Test func `two ends of an exclusion are different keys`() throws {
        func funnel(from: String?, to: String?) throws -> Funnel {
            let steps = ["a", "b", "c"].map { Step(name: $0, event: $0) }
            let exclusion = Exclusion(event: "x", from: from, to: to)
            return try Funnel(name: "f", window: .seconds(1), exclusions: [exclusion], steps: steps)
        }
        #expect(try funnel(from: nil, to: nil).countsLike(funnel(from: "a", to: "c")))
        #expect(try !funnel(from: nil, to: nil).countsLike(funnel(from: "b", to: nil)))
        #expect(try !funnel(from: nil, to: nil).countsLike(funnel(from: nil, to: "b")))
    }
}

extension Step {
    fileprivate func adding(_ pattern: EventPattern) -> Step {
        Step(name: name, any: alternatives + [pattern], sum: sum, isOptional: isOptional)
    }
}
