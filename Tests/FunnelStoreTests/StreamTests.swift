import FlowEvents
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Testing

/// What a store knows of its topic.
@Suite struct StreamTests {
    typealias Fixtures = StoreFixtures

    @Test(arguments: StoreUnderTest.all)
    func `a store keeps the greatest facts of the stream, and whether a partition is at its end`(
        kind: StoreUnderTest
    ) throws {
        let open = try OpenStore(kind)
        #expect(try open.reader.withSnapshot { try $0.stream() } == StreamState())
        var advance = Fixtures.advance(1, from: nil, to: 4, watermark: 3)
        advance.isAtEnd = true
        let mark = RecordMark(offset: 3, timestamp: -1, checksum: .min)
        advance.lastRecord = mark
        func commit(_ advance: PartitionAdvance, _ facts: StreamFacts?) throws {
            let commit = StoreCommit(partitions: [advance], installs: [], summary: [], stream: facts)
            #expect(try open.store.commit(commit) == .committed)
        }
        try commit(advance, StreamFacts(partitionCount: 3, allowedLateness: 500))
        let progress = PartitionProgress(
            partition: 1,
            nextOffset: 4,
            watermark: Timestamp(milliseconds: 3),
            isAtEnd: true,
            lastRecord: mark
        )
        let first = StreamState(partitions: [progress], partitionCount: 3, greatestLateness: 500)
        #expect(try open.reader.withSnapshot { try $0.stream() } == first)
        #expect(try open.store.progress() == [progress])
        try commit(Fixtures.advance(1, from: 4, to: 5), StreamFacts(partitionCount: 2, allowedLateness: 900))
        try commit(Fixtures.advance(1, from: 5, to: 6), nil)
        let second = StreamState(
            // An advance without a last record leaves the one that the store has.
            partitions: [PartitionProgress(partition: 1, nextOffset: 6, lastRecord: mark)],
            partitionCount: 3,
            greatestLateness: 900
        )
        #expect(try open.reader.withSnapshot { try $0.stream() } == second)
    }

    @Test(arguments: StoreUnderTest.all)
    func `an unknown topic id is learned, and another one is another topic`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        func identity(_ topicID: String?) throws -> StoreIdentity {
            var identity = try Fixtures.identity()
            identity.topicID = topicID
            return identity
        }
        for known in [nil, "first", nil, "first"] { _ = try open.store.open(identity(known)) }
        #expect(try open.rebuilder.identity() == identity("first"))
        let error = #expect(throws: StoreError.self) { try open.store.open(identity("second")) }
        #expect(error?.code == .otherData)
        for part in ["'app-events'", "deleted and created again", "first", "second", "use another store"] {
            #expect(error?.message.contains(part) == true)
        }
        #expect(try open.rebuilder.identity() == identity("first"))
    }
}
