import FlowEvents
import FunnelStore
import FunnelStoreTestSupport
import Testing

@testable import Funnels

/// What a store keeps for some keys of its funnels' definitions.
@Suite struct DefinitionKeysTests {
    private typealias Fixtures = StoreFixtures

    private func identity(_ zones: [String: String]) throws -> StoreIdentity {
        var identity = try Fixtures.identity()
        identity.funnels = try zones.sorted { $0.key < $1.key }.map { name, zone in
            try Funnel(
                name: name,
                window: .seconds(1),
                timeZone: FunnelTimeZone(zone),
                steps: [Step(name: "a", event: "a")]
            )
        }
        return identity
    }

    /// Rebuilds the store for other funnels.
    private func rebuild(_ open: OpenStore, _ identity: StoreIdentity) throws {
        let names = identity.funnels.map(\.name)
        try open.rebuilder.rebuild { try $0.setFunnels(identity.funnels, counted: names, completeFrom: nil) }
        _ = try open.store.open(identity)
    }

    @Test(arguments: StoreUnderTest.all)
    func `the transitions of a time zone are kept from when a funnel is first counted in it`(
        kind: StoreUnderTest
    ) throws {
        let open = try OpenStore(kind)
        #expect(try open.rebuilder.identity()?.timeZones == TimeZoneTables())
        var first = try identity(["a": "Europe/Berlin"])
        try rebuild(open, first)
        let berlin = try #require(TimeZoneTable(named: "Europe/Berlin"))
        #expect(try open.store.timeZones(of: first.funnels)["Europe/Berlin"] == berlin)

        // Another machine has other transitions.
        first.timeZones.set(TimeZoneTable(name: "Europe/Berlin", starts: [.min], offsets: [0]))
        _ = try open.store.open(first)
        #expect(try open.store.timeZones(of: first.funnels)["Europe/Berlin"] == berlin)
        #expect(try open.rebuilder.identity()?.timeZones["Europe/Berlin"] == berlin)
        let kept = try open.reader.withSnapshot { try $0.timeZones(of: first.funnels) }
        #expect(kept["Europe/Berlin"] == berlin)

        let second = try identity(["a": "Europe/Berlin", "b": "Asia/Tokyo"])
        try rebuild(open, second)
        let tables = try open.store.timeZones(of: second.funnels)
        #expect(tables["Europe/Berlin"] == berlin && tables["Asia/Tokyo"] == TimeZoneTable(named: "Asia/Tokyo"))
    }

    @Test(arguments: StoreUnderTest.all)
    func `the earliest first day that was read of a funnel is kept`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        let name = try Fixtures.identity().funnels[0].name
        func known() throws -> Day? { try open.reader.withSnapshot { try $0.firstKnownDay(of: name) } }
        #expect(try known() == nil)
        for (day, expected) in [(20, 20), (30, 20), (10, 10)] as [(Int32, Int32)] {
            var commit = StoreCommit(partitions: [], installs: [], summary: [])
            commit.firstKnown = [name: Day(number: day)]
            #expect(try open.store.commit(commit) == .committed)
            #expect(try known() == Day(number: expected))
        }
        #expect(try open.reader.withSnapshot { try $0.firstCompleteDay(of: name) } == nil)

        let funnels = try Fixtures.identity().funnels
        try open.rebuilder.rebuild {
            try $0.setFunnels(
                funnels,
                counted: [name],
                completeFrom: Day(number: 3),
                firstKnown: [name: Day(number: 5)]
            )
        }
        #expect(try known() == Day(number: 5))
        #expect(try open.reader.withSnapshot { try $0.firstCompleteDay(of: name) } == Day(number: 3))
        try open.rebuilder.rebuild { try $0.setFunnels(funnels, counted: [name], completeFrom: nil) }
        #expect(try known() == nil)
    }
}
