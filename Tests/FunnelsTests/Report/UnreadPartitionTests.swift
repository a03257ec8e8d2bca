import FlowEvents
import Testing

@testable import Funnels

@Suite struct UnreadPartitionTests {
    /// A store that knows some partitions, and when some of them were read.
    private struct Source: PartialSummary {
        var partitionCount: Int32?
        var known: [Int32] = []
        var reads: [Int32: Int64] = [:]

        func topicProgress() throws -> TopicProgress {
            TopicProgress(
                partitions: known.map { PartitionProgress(partition: $0, nextOffset: 1) },
                partitionCount: partitionCount
            )
        }

        func partitionReads() throws -> [Int32: Timestamp] { reads.mapValues(Timestamp.init) }
    }

    private func unread(_ source: Source) throws -> [UnreadPartition] {
        try source.unreadPartitions(now: Timestamp(milliseconds: 1000), limit: 100)
    }

    @Test func `a partition that was read within the limit is not unread, at its bound either`() throws {
        let source = Source(partitionCount: 3, known: [0, 1, 2], reads: [0: 1000, 1: 900, 2: 899])
        let late = UnreadPartition(partition: 2, readAt: Timestamp(milliseconds: 899))
        #expect(try unread(source) == [late])
    }

    @Test func `a partition that the store does not know, or that has only begun, was never read`() throws {
        let source = Source(partitionCount: 3, known: [1, 2], reads: [1: 1000])
        let never = [0, 2].map { UnreadPartition(partition: $0, readAt: nil) }
        #expect(try unread(source) == never)
    }

    @Test func `a topic whose number of partitions is not known is not judged`() throws {
        #expect(try unread(Source(partitionCount: nil, known: [0], reads: [0: 0])) == [])
    }

    @Test func `a time of a clock that is ahead is fresh`() throws {
        #expect(try unread(Source(partitionCount: 1, known: [0], reads: [0: 5000])) == [])
    }
}
