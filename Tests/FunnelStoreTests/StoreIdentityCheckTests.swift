import FlowEvents
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Testing

@Suite struct StoreIdentityCheckTests {
    typealias Fixtures = StoreFixtures

    @Test(arguments: StoreUnderTest.all)
    func `a store can be opened again, also with other descriptions`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        try open.commit([Fixtures.advance(0, from: nil, to: 7)])
        let described = try Fixtures.identity(funnels: [
            Fixtures.funnel("first", description: "said anew"), Fixtures.funnel("second"),
        ])
        #expect(try open.store.open(described) == [PartitionProgress(partition: 0, nextOffset: 7)])
    }

    @Test(arguments: StoreUnderTest.all)
    func `a text of a definition is kept as it was last written, byte for byte`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        // The letter as one character, and as an e with an accent behind it: equal as strings.
        for text in ["caf\u{E9}", "cafe\u{301}"] {
            let funnels = try [Fixtures.funnel("first", description: text), Fixtures.funnel("second")]
            _ = try open.store.open(Fixtures.identity(funnels: funnels))
            let kept = try open.reader.funnels[0].description ?? ""
            #expect(Array(kept.utf8) == Array(text.utf8))
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func `another cluster is refused by name, with the way out`(kind: StoreUnderTest) throws {
        try refused(kind, Fixtures.identity(cluster: "cluster-2"), ["'cluster-1'", "'cluster-2'", "use another store"])
    }

    @Test(arguments: StoreUnderTest.all)
    func `another topic is refused by name, with the way out`(kind: StoreUnderTest) throws {
        try refused(kind, Fixtures.identity(topic: "others"), ["'app-events'", "'others'", "use another store"])
    }

    @Test(arguments: StoreUnderTest.all)
    func `other funnels are refused, each difference named`(kind: StoreUnderTest) throws {
        let funnels = try [Fixtures.funnel("first", minutes: 31), Fixtures.funnel("third")]
        let parts = ["added: third", "removed: second", "changed: first", "funnels file", "use another store"]
        try refused(kind, Fixtures.identity(funnels: funnels), parts)
    }

    @Test(arguments: StoreUnderTest.all)
    func `the same funnels in another order are refused, because their indices are their keys`(
        kind: StoreUnderTest
    ) throws {
        let funnels = try [Fixtures.funnel("second"), Fixtures.funnel("first")]
        try refused(kind, Fixtures.identity(funnels: funnels), ["in another order: first, second"])
    }

    private func refused(_ kind: StoreUnderTest, _ identity: StoreIdentity, _ parts: [String]) throws {
        let open = try OpenStore(kind)
        let error = #expect(throws: StoreError.self) { try open.store.open(identity) }
        #expect(error?.code == .otherData)
        for part in parts { #expect(error?.message.contains(part) == true) }
        #expect(try open.reader.funnels.map(\.name) == ["first", "second"])
        #expect(throws: Never.self) { try open.store.open(Fixtures.identity()) }
    }
}
