import FlowEvents
import Funnels
import Testing

@Suite struct FunnelTests {
    /// The mistake in a definition; `nil` where there is none.
    private func mistake(_ make: () throws -> Funnel) -> FunnelDefinitionError? {
        do {
            _ = try make()
            return nil
        } catch {
            return error as? FunnelDefinitionError
        }
    }

    @Test func `an experiment tells its variants apart by their bytes, as its report does`() throws {
        func funnel(_ experiment: Experiment) throws -> Funnel {
            try Funnel(name: "f", window: .seconds(60), breakdown: "properties.variant", experiment: experiment) {
                Step(name: "a", event: "a")
            }
        }
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed)
        let both = try funnel(Experiment(control: composed, shares: [composed: 1, decomposed: 1]))
        #expect(both.experiment?.shares.count == 2)
        let noShare = mistake { try funnel(Experiment(control: decomposed, shares: [composed: 1])) }
        #expect(noShare?.path == ["experiment"] && noShare?.message.contains("has no share") ?? false)
        let twice = mistake { try funnel(Experiment(control: "a", shares: ["a": 1, "a": 2])) }
        #expect(twice?.path == ["experiment"] && twice?.message.contains("two shares of 'a'") ?? false)
    }

    @Test func `a builder gives the same funnel as the values`() throws {
        let isPaid = true
        let built = try Funnel(name: "f", count: .by("presentation_id"), entry: .first, window: .seconds(1)) {
            Step(name: "paywall", event: "screen_view").where("screen", .is("paywall"))
            for plan in ["a", "b"] {
                Step(name: plan, event: "purchase").where("properties.plan", .is(.string(plan)))
            }
            if isPaid {
                Step(name: "paid", event: "purchase")
                    .where("properties.price", .atLeast(1), .lessThan(100))
                    .summing("properties.price", decimals: 2, unit: "properties.currency")
            } else {
                Step(name: "free", event: "purchase")
            }
            Exclusion(event: "paywall_close", from: "paywall", to: "a").where("transition", .isNot("resume"))
        }
        let values = try Funnel(
            name: "f",
            count: .by(.data("presentation_id")),
            entry: .first,
            window: .milliseconds(1000),
            exclusions: [
                Exclusion(
                    event: "paywall_close",
                    conditions: [Condition(.data("transition"), .isNoneOf(["resume"]))],
                    from: "paywall",
                    to: "a"
                )
            ],
            steps: [
                Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"]),
                Step(name: "a", event: "purchase", where: ["properties.plan": "a"]),
                Step(name: "b", event: "purchase", where: ["properties.plan": "b"]),
                Step(
                    name: "paid",
                    event: "purchase",
                    conditions: [
                        Condition(.property("price"), .atLeast(1)), Condition(.property("price"), .lessThan(100)),
                    ],
                    sum: Sum(.property("price"), decimals: 2, unit: .property("currency"))
                ),
            ]
        )
        #expect(built == values)
    }

    private let steps = ["a", "b", "c"].map { Step(name: $0, event: $0) }

    private func excluding(_ exclusion: Exclusion) -> FunnelDefinitionError? {
        mistake { try Funnel(name: "f", window: .seconds(1), exclusions: [exclusion], steps: steps) }
    }

    @Test func `an exclusion goes from a step to a later one`() {
        #expect(excluding(Exclusion(event: "x")) == nil)
        #expect(excluding(Exclusion(event: "x", from: "b", to: "c")) == nil)
        for (exclusion, key, part) in [
            (Exclusion(event: "x", from: "d"), "from", "no step 'd'"),
            (Exclusion(event: "x", to: "B"), "to", "no step 'B'"),
            (Exclusion(event: "x", from: "c"), "from", "'c' is not before 'c'"),
            (Exclusion(event: "x", to: "a"), "to", "'a' is not before 'a'"),
            (Exclusion(event: "x", from: "b", to: "b"), "from", "'b' is not before 'b'"),
            (Exclusion(event: "x", from: "c", to: "a"), "from", "'c' is not before 'a'"),
        ] {
            let found = excluding(exclusion)
            #expect(found?.path == ["exclude", 0, .key(key)] && found?.message.contains(part) ?? false)
        }
    }

    @Test func `one step has no gap that an exclusion could cover`() {
        let found = mistake {
            try Funnel(name: "f", window: .seconds(1), exclusions: [Exclusion(event: "x")], steps: [steps[0]])
        }
        #expect(found?.message.contains("'a' is not before 'a'") ?? false)
    }

    @Test(arguments: [(-1, false), (0, true), (6, true), (7, false)])
    func `a sum has 0 to 6 decimals`(decimals: Int, isValid: Bool) {
        let found = mistake {
            try Funnel(name: "f", window: .seconds(1), steps: [steps[0].summing("n", decimals: decimals)])
        }
        #expect(found?.path == (isValid ? nil : ["steps", 0, "sum", "decimals"]))
    }

    @Test(
        arguments: [Condition.Test.greaterThan, Condition.Test.atLeast, Condition.Test.lessThan, Condition.Test.atMost]
            .map { $0(PropertyNumber(Double.nan)) }
    )
    func `no condition compares with NaN`(test: Condition.Test) {
        let step = steps[0].where("n", test)
        let inStep = mistake { try Funnel(name: "f", window: .seconds(1), steps: [step]) }
        for found in [inStep, excluding(Exclusion(event: "x").where("n", test))] {
            #expect(found?.message.contains("condition on 'n'") ?? false)
        }
    }

    @Test func `an exclusion covers the gaps between its steps`() throws {
        let funnel = try Funnel(name: "f", window: .seconds(1), steps: steps)
        #expect(funnel.gaps(of: Exclusion(event: "x")) == 0b11)
        #expect(funnel.gaps(of: Exclusion(event: "x", from: "b")) == 0b10)
        #expect(funnel.gaps(of: Exclusion(event: "x", to: "b")) == 0b01)
    }

    @Test func `with 32 steps the last gap has a bit`() throws {
        let funnel = try Funnel(name: "f", window: .seconds(1), steps: (0..<32).map { Step(name: "\($0)", event: "e") })
        #expect(funnel.gaps(of: Exclusion(event: "x")) == 0x7FFF_FFFF)
        #expect(funnel.gaps(of: Exclusion(event: "x", from: "30", to: "31")) == 0x4000_0000)
    }
}
