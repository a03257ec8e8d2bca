import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

/// Compares the actors behind figures with the brute force, and their numbers with the figures.
@Suite struct ActorSearchTests {
    @Test(arguments: Seeds.upTo(200))
    func `the actors of random figures are those of the brute force, as many as the report says`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        random.hasAllKeys = true
        let funnels = try random.funnels()
        let days = Int64(random.generator.pick([1, 4, 20]))
        let events = random.events(count: 60, installs: random.generator.pick([2, 8, 20]), days: days)
        var topic = try CountedTopic(funnels: funnels, eventsPerBlock: random.eventsPerBlock())
        for event in events {
            try topic.insert(event)
            if random.generator.chance(15) { try topic.commit() }
        }
        try topic.commit()
        let oracle = FunnelOracle(funnels: funnels, records: events.map { FunnelOracle.Record($0) })
        for _ in 0..<8 {
            let question = try #require(try Question(&random, funnels, days: days))
            let found = try question.actors(in: try topic.rows(), funnels)
            try #require(found == question.actors(in: oracle), "seed \(seed)")
            let report = try FunnelReport.figures(
                from: topic,
                funnels: funnels,
                from: question.from,
                to: question.to
            )
            try #require(
                question.query.figure(in: report.funnels[question.query.funnel]) == found.count,
                "seed \(seed)"
            )
        }
    }

    @Test func `the actors of days whose events were removed are those of the brute force, but for the times`() throws {
        var unknownCount = 0
        for seed in 0..<10 as Range<UInt64> { unknownCount += try unknownActors(seed: seed) }
        #expect(unknownCount > 50)
    }

    /// Compares random figures of a store that removes events, and returns how many actors' events it had removed.
    private func unknownActors(seed: UInt64) throws -> Int {
        var random = RandomFunnels(seed: seed)
        random.hasAllKeys = true
        let funnels = try random.funnels()
        let bounds = FunnelBounds(allowedLateness: 3_600_000)
        var topic = try CountedTopic(funnels: funnels, bounds: bounds, partitionCount: 1)
        let events = random.events(count: 200, installs: 12, days: 200).sorted { $0.time < $1.time }
        for event in events {
            try topic.insert(FunnelOracle.Record(event))
            guard random.generator.chance(10) else { continue }
            try topic.commit()
            try topic.sweep()
        }
        try topic.commit()
        try topic.sweep()
        let oracle = FunnelOracle(funnels: funnels, records: events.map { FunnelOracle.Record($0) })
        var unknownCount = 0
        for _ in 0..<40 {
            let question = try #require(try Question(&random, funnels, days: 200))
            let found = try question.actors(in: try topic.rows(), funnels)
            var expected = question.actors(in: oracle)
            try #require(found.count == expected.count, "seed \(seed)")
            for (index, actor) in found.enumerated() where actor.startedAt == nil {
                expected[index].startedAt = nil
                unknownCount += 1
            }
            #expect(found == expected, "seed \(seed)")
        }
        return unknownCount
    }

    @Test func `the time of an attempt is not known where only a part of its day's events is left`() throws {
        let short = try Funnel(
            name: "short",
            window: .seconds(60),
            steps: [Step(name: "screen", event: "screen_view"), Step(name: "bought", event: "purchase")]
        )
        let long = try Funnel(
            name: "long",
            window: .seconds(20 * 86_400),
            steps: [Step(name: "profile", event: "screen_view", where: ["screen": "profile"])]
        )
        let (funnels, bounds) = ([short, long], FunnelBounds(allowedLateness: 3_600_000))
        var topic = try CountedTopic(funnels: funnels, bounds: bounds, partitionCount: 1)
        // The long funnel keeps the second event, and nothing the first one.
        for event in [screenView("home", "i"), screenView("profile", "i", second: 3600)] { try topic.insert(event) }
        try topic.insert(screenView("home", "j", second: 5 * 86_400))
        try topic.commit()
        try topic.sweep()
        let query = try ActorQuery(funnel: "short", step: "screen", .reached, in: funnels)
        let day = Day(containing: screenView("home", "i").time)
        var search = ActorSearch(query, funnels: funnels, timeZones: .random, in: DayRange(day, day))
        let found = try topic.rows().flatMap { try search.actors(of: $0) }
        #expect(
            found == [FunnelActor(install: "i", actor: nil, day: day, startedAt: nil, stepsMet: 1, value: nil)]
        )
    }

    @Test func `mistakes in a query are named with the way out`() throws {
        let funnels = [
            try Funnel(
                name: "plain",
                window: .seconds(60),
                steps: [Step(name: "home", event: "a"), Step(name: "paywall", event: "b")]
            ),
            try Funnel(
                name: "by-two",
                window: .seconds(60),
                breakdown: Breakdown(list: [Breakdown.Part("screen"), Breakdown.Part("properties.plan")]),
                steps: [Step(name: "home", event: "a")]
            ),
        ]
        func message(_ funnel: String, _ step: String, _ kind: ActorQuery.Kind, _ value: [String]) -> String? {
            do {
                _ = try ActorQuery(funnel: funnel, step: step, kind, value: value, in: funnels)
                return nil
            } catch {
                return error.description
            }
        }
        #expect(message("none", "home", .reached, []) == "the store counts no funnel 'none'")
        #expect(
            message("plain", "hom", .reached, [])
                == "the funnel 'plain' has no step 'hom': its steps are 'home', 'paywall'"
        )
        #expect(message("plain", "home", .dropped, [])?.hasSuffix("name a later step, or ask for --reached") == true)
        #expect(message("plain", "home", .reached, ["x"])?.contains("has no breakdown") == true)
        #expect(
            message("by-two", "home", .reached, ["x"])
                == "--value has 1 text, and the breakdown of 'by-two' 2: screen, properties.plan"
        )
        #expect(message("by-two", "home", .reached, ["x", "y"]) == nil)
    }
}

/// A random figure.
private struct Question {
    let query: ActorQuery
    let texts: [String]?
    let from: Day?
    let to: Day?

    init?(_ random: inout RandomFunnels, _ funnels: [Funnel], days: Int64) throws {
        let funnel = random.generator.pick(funnels)
        let step = Int(random.generator.next() % UInt64(funnel.steps.count))
        let kind: ActorQuery.Kind = step > 0 && random.generator.chance(50) ? .dropped : .reached
        let values = ["home", "profile", "(none)", "(not reached)", "a", "b", "1"]
        let parts = funnel.breakdown.map(\.parts.count) ?? 0
        texts = parts > 0 && random.generator.chance(60) ? (0..<parts).map { _ in random.generator.pick(values) } : nil
        query = try ActorQuery(
            funnel: funnel.name,
            step: funnel.steps[step].name,
            kind,
            value: texts ?? [],
            in: funnels
        )
        let first = Int32(random.start / 86_400_000)
        let from =
            random.generator.chance(50) ? Day(number: first + Int32(random.generator.next() % UInt64(days))) : nil
        let length = Int32(random.generator.next() % UInt64(days))
        self.from = from
        to = random.generator.chance(50) ? Day(number: (from?.number ?? first) + length) : nil
    }

    func actors(in oracle: FunnelOracle) -> [FunnelActor] {
        oracle.actors(
            funnel: query.funnel,
            step: query.step,
            isDropped: query.kind == .dropped,
            value: texts,
            from: from,
            to: to
        )
    }

    func actors(in rows: [StoredInstall], _ funnels: [Funnel]) throws -> [FunnelActor] {
        var search = ActorSearch(query, funnels: funnels, timeZones: .random, in: DayRange(from, to))
        return try rows.flatMap { try search.actors(of: $0) }
    }
}
