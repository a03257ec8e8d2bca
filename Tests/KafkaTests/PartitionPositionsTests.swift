import Testing

@testable import Kafka

@Suite struct PartitionPositionsTests {
    private let one = TopicPartition(topic: "t", partition: 1)

    @Test func `a record is passed on once, and none before the start`() {
        var positions = PartitionPositions()
        positions.start([PartitionStart(one, at: .offset(10))])
        let topic = positions.number(of: "t")
        #expect(!positions.accept(topic: topic, partition: 1, offset: 9))
        #expect(positions.accept(topic: topic, partition: 1, offset: 10))
        #expect(!positions.accept(topic: topic, partition: 1, offset: 10))
        #expect(positions.accept(topic: topic, partition: 1, offset: 15))
        #expect(positions.resumption(of: one) == .offset(16))
    }

    @Test func `a record of a partition that is not assigned is not passed on`() {
        var positions = PartitionPositions()
        let topic = positions.number(of: "t")
        #expect(!positions.accept(topic: topic, partition: 0, offset: 0))
        positions.start([PartitionStart(one, at: .earliest)])
        #expect(!positions.accept(topic: topic, partition: 0, offset: 0))
        #expect(!positions.accept(topic: topic, partition: 7, offset: 0))
        positions.stop([one])
        #expect(!positions.accept(topic: topic, partition: 1, offset: 0))
    }

    @Test func `a partition of which nothing was read starts again as it was started`() {
        var positions = PartitionPositions()
        positions.start([PartitionStart(one, at: .earliest)])
        #expect(positions.resumptions == [PartitionStart(one, at: .earliest)])
        positions.start([PartitionStart(one, at: .latest)])
        #expect(positions.resumptions == [PartitionStart(one, at: .latest)])
        positions.reachedEnd(of: one, at: 4)
        #expect(positions.resumptions == [PartitionStart(one, at: .offset(4))])
    }

    @Test func `starting again may go back`() {
        var positions = PartitionPositions()
        let topic = positions.number(of: "t")
        positions.start([PartitionStart(one, at: .offset(10))])
        #expect(positions.accept(topic: topic, partition: 1, offset: 10))
        positions.start([PartitionStart(one, at: .offset(3))])
        #expect(positions.accept(topic: topic, partition: 1, offset: 3))
    }
}
