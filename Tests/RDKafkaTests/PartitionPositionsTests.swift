import Testing

@testable import RDKafka

@Suite struct PartitionPositionsTests {
    private let one = TopicPartition(topic: "t", partition: 1)

    @Test func `a record is accepted once, and none before the start`() {
        let positions = Positions()
        positions.start([PartitionStart(one, at: .offset(10))])
        #expect(positions.accept(partition: 1, offset: 9) == false)
        #expect(positions.accept(partition: 1, offset: 10))
        #expect(positions.accept(partition: 1, offset: 10) == false)
        #expect(positions.accept(partition: 1, offset: 15))
        #expect(positions.resumption(of: one) == .offset(16))
    }

    @Test func `a record of a partition that is not assigned is not accepted`() {
        let positions = Positions()
        #expect(positions.accept(partition: 0, offset: 0) == false)
        positions.start([PartitionStart(one, at: .earliest)])
        #expect(positions.accept(partition: 0, offset: 0) == false)
        #expect(positions.accept(partition: 7, offset: 0) == false)
        positions.stop([one])
        #expect(positions.accept(partition: 1, offset: 0) == false)
    }

    @Test func `a partition of which nothing was read resumes at its start position`() {
        let positions = Positions()
        positions.start([PartitionStart(one, at: .earliest)])
        #expect(positions.resumptions == [PartitionStart(one, at: .earliest)])
        positions.start([PartitionStart(one, at: .latest)])
        #expect(positions.resumptions == [PartitionStart(one, at: .latest)])
        positions.reachedEnd(of: one, at: 4)
        #expect(positions.resumptions == [PartitionStart(one, at: .offset(4))])
    }

    @Test func `starting again may go back`() {
        let positions = Positions()
        positions.start([PartitionStart(one, at: .offset(10))])
        #expect(positions.accept(partition: 1, offset: 10))
        positions.start([PartitionStart(one, at: .offset(3))])
        #expect(positions.accept(partition: 1, offset: 3))
    }
}

/// A class around the positions, because `#expect` takes no mutating calls.
private final class Positions {
    private var positions = PartitionPositions()

    var resumptions: [PartitionStart] { positions.resumptions }

    func start(_ starts: [PartitionStart]) { positions.start(starts) }
    func stop(_ partitions: [TopicPartition]) { positions.stop(partitions) }
    func reachedEnd(of partition: TopicPartition, at offset: Int64) { positions.reachedEnd(of: partition, at: offset) }
    func resumption(of partition: TopicPartition) -> StartOffset? { positions.resumption(of: partition) }

    func accept(partition: Int32, offset: Int64) -> Bool {
        positions.accept(topic: positions.number(of: "t"), partition: partition, offset: offset)
    }
}
