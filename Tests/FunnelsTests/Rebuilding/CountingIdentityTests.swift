import FlowEvents
import Funnels
import Testing

@Suite struct CountingIdentityTests {
    private func funnel(
        description: String? = nil,
        count: Counting = .installs,
        window: Duration = .seconds(1),
        breakdown: Field? = nil,
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
            try funnel(count: .sessions), try funnel(window: .seconds(2)), try funnel(breakdown: .data("a")),
            try funnel(event: "f"), try funnel(step: "t"), try funnel(conditions: []),
            try funnel(conditions: [Condition(.property("a"), in: [1, 2]), Condition(.data("b"), is: "x")]),
        ]
        for other in others {
            #expect(try !funnel().countsLike(other), "\(other)")
        }
    }

    @Test func `canonically equivalent texts are different`() throws {
        #expect(try !funnel(event: "\u{E9}").countsLike(funnel(event: "e\u{301}")))
        let composed = [Condition(.data("\u{E9}"), is: "x")]
        let decomposed = [Condition(.data("e\u{301}"), is: "x")]
        #expect(try !funnel(conditions: composed).countsLike(funnel(conditions: decomposed)))
    }
}
