import EventTracking
import FlowDemoSimulation
import FlowEvents
import Testing

@MainActor
@Suite struct SimulationTests {
    @Test func `the same seed gives the same events, another seed others`() async throws {
        let first = try await RecordedSimulation(.week(people: 0..<100))
        let second = try await RecordedSimulation(.week(people: 0..<100))
        let other = try await RecordedSimulation(.week(people: 0..<100, seed: 2))
        #expect(try first.documents == second.documents)
        #expect(first.result == second.result)
        #expect(try first.documents != other.documents)
    }

    @Test func `people do the same side by side as one after the other`() async throws {
        let together = try await RecordedSimulation(.week(people: 0..<60))
        var apart: [String] = []
        for person in (0..<60).reversed() {
            apart += try await RecordedSimulation(.week(people: person..<(person + 1))).documents
        }
        #expect(try together.documents == apart.sorted())
    }

    @Test func `everything happens within the time of the plan, and nothing is lost`() async throws {
        let plan = SimulationPlan.week(people: 0..<300)
        let simulation = try await RecordedSimulation(plan)
        let times = simulation.events.map(\.time)
        #expect(try #require(times.min()) >= plan.start)
        #expect(try #require(times.max()) < plan.end)
        #expect(simulation.result.events.tracked == simulation.events.count)
        #expect(simulation.result.events.delivered == simulation.events.count)
        #expect(simulation.result.events.dropped.isEmpty)
    }

    @Test func `the events of an install arrive in order, in among those of others`() async throws {
        let simulation = try await RecordedSimulation(.week(people: 0..<300))
        var next: [String: Int64] = [:]
        for event in simulation.events {
            #expect(event.sequence == next[event.installID, default: 0])
            next[event.installID, default: 0] += 1
        }
        #expect(next.count > 250)
        // In parallel: most neighboring events belong to different people.
        let neighbors = zip(simulation.events, simulation.events.dropFirst())
        #expect(neighbors.count { $0.installID != $1.installID } > simulation.events.count / 20)
    }

    @Test func `the events tell what the people say that they did`() async throws {
        let simulation = try await RecordedSimulation(.week(people: 0..<500))
        let tally = simulation.result.tally
        func count(_ matches: (Event) -> Bool) -> Int { simulation.events.count(where: matches) }
        #expect(count { $0.screen == "home" && $0.transition == "root" } == tally.visits)
        #expect(count { $0.screen == "paywall" && $0.transition == "present" } == tally.count(of: .openPaywall))
        #expect(count { $0.screen == "profile" && $0.transition == "present" } == tally.count(of: .openProfile))
        func views(_ transition: String) -> Int {
            count { $0.type == "screen_view" && $0.transition == transition }
        }
        #expect(views("swipe_dismiss") == tally.count(of: .swipePaywallAway))
        #expect(views("back") == tally.count(of: .goBack) + tally.count(of: .swipeBack))
        #expect(count { $0.type == "purchase" } == tally.purchases)
        #expect(count { $0.type == "notifications_changed" } == tally.count(of: .toggleNotifications))
        #expect(count { $0.properties["noticed"] != nil } == 0)
        for move in Move.allCases {
            #expect(tally.count(of: move) > 0, "nobody in this crowd has done \(move)")
        }
        #expect(tally.latePurchases > 0)
        #expect(tally.latePurchases < tally.purchases)
    }

    @Test func `every purchase has a paywall of the same presentation and source before it`() async throws {
        let simulation = try await RecordedSimulation(.week(people: 0..<500))
        let paywalls = simulation.events.filter { $0.screen == "paywall" }
        let sources = Dictionary(paywalls.map { ($0.presentationID, $0) }) { first, _ in first }
        let purchases = simulation.events.filter { $0.type == "purchase" }
        #expect(!purchases.isEmpty)
        for purchase in purchases {
            let paywall = try #require(sources[purchase.presentationID])
            #expect(purchase.presentationID != nil)
            #expect(purchase.paywallSource == paywall.paywallSource)
            #expect(purchase.paywallSource == paywall.previousScreen)
            #expect(purchase.installID == paywall.installID)
            #expect(purchase.time > paywall.time)
        }
    }

    @Test func `a simulation that is canceled ends with an error`() async throws {
        let task = Task { try await RecordedSimulation(.week(people: 0..<50)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
