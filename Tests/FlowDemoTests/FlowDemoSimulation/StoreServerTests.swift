import FlowDemoSimulation
import FlowEvents
import Foundation
import SimulatedAppStore
import Testing

/// The simulated store's server.
@MainActor
@Suite struct StoreServerTests {
    @Test func `every purchase is in the store, with its install and its price`() async throws {
        let simulation = try await RecordedSimulation(.week(people: 0..<300))
        let purchases = simulation.result.purchases
        #expect(purchases.count == simulation.result.tally.purchases)
        let installs = Set(simulation.events.map(\.installID))
        #expect(purchases.allSatisfy { installs.contains($0.installID) })
        let events = try await simulation.storeEvents
        #expect(!events.isEmpty && events.allSatisfy { installs.contains($0.installID) })
        let first = Dictionary(grouping: events.filter { $0.type == "store_purchase" }, by: \.id)
        // Some have bought outside the app.
        #expect((purchases.count * 9 / 10...purchases.count).contains(first.count))
        let prices = first.values.compactMap(\.first?.properties["price"])
        #expect(prices.allSatisfy { $0 == 0 || $0 == 4.99 })
    }

    @Test func `trials are paid, end, or are paid and refunded, days later`() async throws {
        let simulation = try await RecordedSimulation(.week(people: 0..<600))
        let events = try await simulation.storeEvents
        func ids(_ type: String) -> Set<String> {
            Set(
                events.filter { $0.type == type }.compactMap { event in
                    if case .string(let id) = event.properties["original_transaction_id"] { id } else { nil }
                }
            )
        }
        let (bought, paid, refunded) = (ids("store_purchase"), ids("store_renewal"), ids("store_refund"))
        #expect(!refunded.isEmpty && refunded.isSubset(of: paid) && paid.isSubset(of: bought))
        #expect(!ids("store_expiration").isEmpty && ids("store_expiration").isDisjoint(with: paid))
        for event in events where event.type == "store_renewal" || event.type == "store_refund" {
            #expect(event.properties["price"] == 39.99)
        }
        #expect(Set(events.map(\.id)).count < events.count, "none is posted twice")
    }

    @Test func `the same plan has the same events of the store`() async throws {
        let first = try await RecordedSimulation(.week(people: 0..<120)).storeEvents
        let second = try await RecordedSimulation(.week(people: 0..<120)).storeEvents
        #expect(first == second)
    }
}
