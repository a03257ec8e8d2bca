import Testing

@testable import FunnelConsumer

@Suite struct GroupBindingTests {
    @Test func `stores that consumers share have default groups of their own`() {
        #expect(GroupBinding(groupID: nil, storeID: "a1").groupID == "funnel-consumer-a1")
        #expect(GroupBinding(groupID: nil, storeID: "b2").groupID == "funnel-consumer-b2")
        #expect(GroupBinding(groupID: nil, storeID: nil).groupID == "funnel-consumer")
        #expect(GroupBinding(groupID: "g", storeID: "a1").groupID == "g")
    }

    @Test func `offsets that another store has committed show that store`() throws {
        let mine = GroupBinding(groupID: "g", storeID: "a1")
        let other = GroupBinding(groupID: "g", storeID: "b2")
        let texts = [0: mine.metadata, 2: other.metadata, 1: other.metadata, 3: "of another program"]
            .compactMapValues { $0 }
        let found = try #require(mine.otherStore(in: texts.reduce(into: [:]) { $0[Int32($1.key)] = $1.value }))
        #expect(found.partition == 1 && found.storeID == "b2")
    }

    @Test func `offsets of this store, of another program, or without a text are no other store's`() {
        let mine = GroupBinding(groupID: "g", storeID: "a1")
        #expect(mine.otherStore(in: [0: mine.metadata ?? "", 1: "of another program"]) == nil)
        #expect(mine.otherStore(in: [:]) == nil)
    }

    @Test func `a store of one consumer leaves no text in the group and heeds none`() {
        let single = GroupBinding(groupID: "g", storeID: nil)
        #expect(single.metadata == nil)
        #expect(single.otherStore(in: [0: GroupBinding(groupID: "g", storeID: "a1").metadata ?? ""]) == nil)
    }
}
