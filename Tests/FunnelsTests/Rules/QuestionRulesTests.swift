import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

/// Rules 20 to 23 of the semantics by example: alternatives, optional steps, values of any step, where they went.
@Suite struct QuestionRulesTests {
    /// Counts screen views of one install, given as screens with their seconds.
    private static func result(_ funnel: Funnel, _ views: [(screen: String, seconds: Int64)]) throws -> FunnelResult {
        try result(funnel, [("i", views)])
    }

    private static func result(
        _ funnel: Funnel,
        _ installs: [(name: String, views: [(screen: String, seconds: Int64)])]
    ) throws -> FunnelResult {
        var topic = try CountedTopic(funnels: [funnel])
        for install in installs {
            for view in install.views {
                try topic.insert(screenView(view.screen, install.name, at: view.seconds * 1000))
            }
        }
        try topic.commit()
        return try FunnelReport.figures(from: topic, funnels: [funnel]).funnels[0]
    }

    private static func step(_ name: String) -> Step {
        Step(name: name, event: "screen_view").where("screen", .is(.string(name)))
    }

    private static func tour(next: NextEvent? = nil, breakdown: Breakdown? = nil) throws -> Funnel {
        try Funnel(name: "f", window: .seconds(100), breakdown: breakdown, next: next) {
            step("home")
            step("tour").optional()
            step("paywall")
        }
    }

    @Test func `one event meets a step with alternatives, whichever it matches`() throws {
        let either = Step(name: "either", any: [EventPattern(event: "purchase"), EventPattern(event: "screen_view")])
        let funnel = try Funnel(name: "f", window: .seconds(100), steps: [Self.step("home"), either])
        #expect(try Self.result(funnel, [("home", 0), ("settings", 1)]).steps.map(\.count) == [1, 1])
        #expect(try Self.result(funnel, [("home", 0)]).steps.map(\.count) == [1, 0])
    }

    @Test func `an optional step is met between the required ones, or passed over`() throws {
        let with = try Self.result(try Self.tour(), [("home", 0), ("tour", 5), ("paywall", 9)])
        #expect(with.steps.map(\.count) == [1, 1, 1])
        #expect(with.steps[1].nextStep?.with == Conversion(count: 1, of: 1))
        #expect(with.steps[1].nextStep?.without == Conversion(count: 0, of: 0))
        #expect(with.steps[2].medianFromPrevious == 9000, "from the required step before it")

        let without = try Self.result(try Self.tour(), [("home", 0), ("paywall", 9), ("tour", 12)])
        #expect(without.steps.map(\.count) == [1, 0, 1])
        #expect(without.steps[1].nextStep?.without == Conversion(count: 1, of: 1))
    }

    @Test func `where the next required step is missing, an optional one counts within the window`() throws {
        #expect(try Self.result(try Self.tour(), [("home", 0), ("tour", 100)]).steps.map(\.count) == [1, 1, 0])
        #expect(try Self.result(try Self.tour(), [("home", 0), ("tour", 101)]).steps.map(\.count) == [1, 0, 0])
    }

    @Test func `an optional step holds up no required one`() throws {
        // The tour after the paywall is too late for its gap; the paywall is met all the same.
        let funnel = try Funnel(name: "f", window: .seconds(100)) {
            Self.step("home")
            Self.step("tour").optional()
            Self.step("settings").optional()
            Self.step("paywall")
        }
        let result = try Self.result(funnel, [("home", 0), ("settings", 3), ("tour", 5), ("paywall", 9)])
        // The optional ones are met in their order: the tour, and no settings after it.
        #expect(result.steps.map(\.count) == [1, 1, 0, 1])
    }

    @Test func `a value of a step that was not met says so`() throws {
        let breakdown = Breakdown(list: [.init("screen"), .init("screen", ofStep: "paywall")])
        let result = try Self.result(
            try Self.tour(breakdown: breakdown),
            [("a", [("home", 0), ("paywall", 5)]), ("b", [("home", 0)])]
        )
        #expect(result.breakdown?.map(\.value) == [.list(["home", "(not reached)"]), .list(["home", "paywall"])])
        #expect(result.breakdown?.map { $0.steps.map(\.count) } == [[1, 0, 0], [1, 0, 1]])
    }

    @Test func `an actor counts under each value that its attempts show, with the deepest of them`() throws {
        let result = try Self.result(
            try Self.tour(breakdown: Breakdown("screen", ofStep: "tour")),
            [("home", 0), ("tour", 5), ("home", 500), ("paywall", 510)]
        )
        #expect(result.steps.map(\.count) == [1, 0, 1], "the deepest attempt had no tour")
        #expect(result.breakdown?.map(\.value) == [.text("(not reached)"), .text("tour")])
        #expect(result.breakdown?.map { $0.steps.map(\.count) } == [[1, 0, 1], [1, 1, 0]])
    }

    @Test func `next is the first event after the last required step, within the window`() throws {
        let funnel = try Self.tour(next: NextEvent("screen_view", field: "screen"))
        let result = try Self.result(
            funnel,
            [
                ("a", [("home", 0), ("settings", 4), ("help", 5)]), ("b", [("home", 0), ("help", 101)]),
                ("c", [("home", 0), ("tour", 1), ("settings", 2)]),
                ("d", [("home", 0), ("settings", 3), ("paywall", 5)]),
            ]
        )
        let places = try #require(result.steps[0].next?.places)
        #expect(places.map(\.value) == ["(nothing)", "settings", "tour"] && places.map(\.count) == [1, 1, 1])
        #expect(result.steps[1].next == nil && result.steps[2].next == nil)
    }

    @Test func `a next event without the field to count by stands in the order by the step that it matches`() throws {
        let funnel = try Funnel(
            name: "f",
            count: .by("presentation_id"),
            window: .seconds(100),
            next: NextEvent("screen_view", field: "screen"),
            steps: [Self.step("home"), Self.step("paywall")]
        )
        var first = screenView("home", "i", id: "a")
        first.presentationID = "1"
        // At the same time, and later by its id alone.
        let second = screenView("home", "i", id: "b")
        var topic = try CountedTopic(funnels: [funnel])
        try topic.insert(first)
        try topic.insert(second)
        try topic.commit()
        let next = try FunnelReport.figures(from: topic, funnels: [funnel]).funnels[0].steps[0].next
        #expect(next?.places.map(\.value) == ["home"])
    }

    @Test func `two parts of 2,000 values each are bounded, and the rest is counted`() throws {
        let funnel = try Funnel(
            name: "f",
            window: .seconds(100),
            breakdown: Breakdown(list: [.init("properties.a"), .init("properties.b")]),
            steps: [Step(name: "s", event: "s")]
        )
        var topic = try CountedTopic(funnels: [funnel])
        for number in 0..<6000 {
            let event = Event(
                id: "\(number)",
                source: "app://test",
                type: "s",
                time: Timestamp(milliseconds: 1_772_323_200_000),
                installID: "\(number)",
                // Each pair of values is another one; of each, there are 2,000.
                properties: ["a": .number(Double(number % 2000)), "b": .number(Double((number / 3) % 2000))]
            )
            try topic.insert(event)
            if number % 1000 == 999 { try topic.commit() }
        }
        let result = try FunnelReport.figures(from: topic, funnels: [funnel]).funnels[0]
        #expect(result.breakdown?.count == 1000 && result.valuesLeftOut == 5000)
        #expect(result.steps[0].count == 6000)
    }
}
