import FlowEvents
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Testing

/// What a store knows of its topic.
@Suite struct TopicProgressTests {
    typealias Fixtures = StoreFixtures

    @Test(arguments: StoreUnderTest.all)
    func `a store keeps the greatest of what is known of the topic, and whether a partition is at its end`(
        kind: StoreUnderTest
    ) throws {
        let open = try OpenStore(kind)
        #expect(try open.reader.withSnapshot { try $0.topicProgress() } == TopicProgress())
        var advance = Fixtures.advance(1, from: nil, to: 4, watermark: 3)
        advance.isAtEnd = true
        let mark = RecordMark(offset: 3, timestamp: -1, checksum: .min)
        advance.lastRecord = mark
        func commit(_ advance: PartitionAdvance, _ settings: TopicSettings?) throws {
            let commit = StoreCommit(partitions: [advance], installs: [], summary: [], topic: settings)
            #expect(try open.store.commit(commit) == .committed)
        }
        try commit(advance, TopicSettings(partitionCount: 3, allowedLateness: 500))
        let progress = PartitionProgress(
            partition: 1,
            nextOffset: 4,
            watermark: Timestamp(milliseconds: 3),
            isAtEnd: true,
            lastRecord: mark
        )
        let first = TopicProgress(partitions: [progress], partitionCount: 3, greatestLateness: 500)
        #expect(try open.reader.withSnapshot { try $0.topicProgress() } == first)
        #expect(try open.store.progress() == [progress])
        try commit(Fixtures.advance(1, from: 4, to: 5), TopicSettings(partitionCount: 2, allowedLateness: 900))
        try commit(Fixtures.advance(1, from: 5, to: 6), nil)
        let second = TopicProgress(
            // An advance without a last record leaves the one that the store has.
            partitions: [PartitionProgress(partition: 1, nextOffset: 6, lastRecord: mark)],
            partitionCount: 3,
            greatestLateness: 900
        )
        #expect(try open.reader.withSnapshot { try $0.topicProgress() } == second)
    }

    @Test(arguments: StoreUnderTest.all)
    func `the horizon is what all partitions allow, by the greatest settings ever, and never moves back`(
        kind: StoreUnderTest
    ) throws {
        let open = try OpenStore(kind)
        let store = open.store
        func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
        let settings = TopicSettings(partitionCount: 2, allowedLateness: 100)
        #expect(try store.raiseHorizon(settings) == nil)
        try open.commit([Fixtures.advance(0, from: nil, to: 4, watermark: 5000)])
        #expect(try store.raiseHorizon(settings) == nil && store.horizon() == nil)
        let second = Fixtures.advance(1, from: nil, to: 4, watermark: 3000)
        #expect(
            try store.commit(StoreCommit(partitions: [second], installs: [], summary: [], topic: settings))
                == .committed
        )
        // A consumer that knows fewer partitions, or has another lateness.
        #expect(try store.raiseHorizon(TopicSettings(partitionCount: 1, allowedLateness: 50)) == time(2900))
        #expect(try store.raiseHorizon(TopicSettings(partitionCount: 1, allowedLateness: 500)) == time(2900))
        #expect(try store.horizon() == time(2900))
        let stream = try open.reader.withSnapshot { try $0.topicProgress() }
        #expect(stream.horizon == time(2900) && stream.partitionCount == 2 && stream.greatestLateness == 500)
    }

    @Test(arguments: StoreUnderTest.all)
    func `a new partition is taken in by a floor that is at least the horizon, and keeps it`(
        kind: StoreUnderTest
    ) throws {
        let open = try OpenStore(kind)
        func advance(_ partition: Int32, from old: Int64?, floor: Int64?) -> PartitionAdvance {
            var advance = Fixtures.advance(partition, from: old, to: (old ?? 0) + 1)
            advance.floor = floor.map { Timestamp(milliseconds: $0) }
            return advance
        }
        try open.commit([Fixtures.advance(0, from: nil, to: 4, watermark: 5000)])
        let settings = TopicSettings(partitionCount: 1, allowedLateness: 100)
        #expect(try open.store.raiseHorizon(settings) == Timestamp(milliseconds: 4900))
        let before = try open.store.progress()
        for floor in [nil, 4899] as [Int64?] {
            #expect(try open.commit([advance(1, from: nil, floor: floor)]) == .fenced(before))
        }
        #expect(try open.commit([advance(1, from: nil, floor: 4900)]) == .committed)
        #expect(try open.commit([advance(1, from: 1, floor: nil), advance(2, from: nil, floor: 6000)]) == .committed)
        #expect(try open.store.progress().map { $0.floor?.milliseconds } == [nil, 4900, 6000])
        // The partitions without events hold it where it is.
        try open.commit([Fixtures.advance(0, from: 4, to: 5, watermark: 50_000)])
        #expect(try open.store.raiseHorizon(settings) == Timestamp(milliseconds: 4900))
    }

    @Test(arguments: StoreUnderTest.all)
    func `a store keeps when each partition was read last`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        func commit(_ partition: Int32, from: Int64?, to: Int64, at milliseconds: Int64?) throws {
            var advance = Fixtures.advance(partition, from: from, to: to)
            advance.readAt = milliseconds.map(Timestamp.init)
            #expect(try open.commit([advance]) == .committed)
        }
        func reads() throws -> [Int32: Int64] {
            try open.reader.withSnapshot { try $0.partitionReads() }.mapValues(\.milliseconds)
        }
        #expect(try reads() == [:])
        try commit(0, from: nil, to: 4, at: 10)
        try commit(1, from: nil, to: 4, at: nil)
        #expect(try reads() == [0: 10])
        // A partition without new records is read as well.
        try commit(0, from: 4, to: 4, at: 20)
        try commit(1, from: 4, to: 5, at: 30)
        try commit(1, from: 5, to: 6, at: nil)
        #expect(try reads() == [0: 20, 1: 30])
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
