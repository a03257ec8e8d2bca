import Testing

@testable import FunnelConsumer

@Suite struct ProgressWatchTests {
    private let start = ContinuousClock.now
    private var watch = ProgressWatch()

    private mutating func stalled(_ partitions: [Int32: (Int64?, Int64?)], after seconds: Int) -> [Int32] {
        let partitions = partitions.mapValues { ProgressWatch.Observation(position: $0.0, lag: $0.1) }
        return watch.stalled(partitions, now: start + .seconds(seconds)).map(\.partition)
    }

    @Test mutating func `a partition with records to read that stays at an offset for a minute is stalled`() {
        var found = stalled([0: (5, 10), 1: (5, 10)], after: 0)
        #expect(found.isEmpty)
        found = stalled([0: (5, 10), 1: (5, 10)], after: 59)
        #expect(found.isEmpty)
        found = stalled([0: (5, 10), 1: (6, 9)], after: 60)
        #expect(found == [0])
        found = stalled([0: (6, 9), 1: (6, 9)], after: 61)
        #expect(found.isEmpty)
        found = stalled([0: (7, 8), 1: (6, 9)], after: 120)
        #expect(found == [1])
    }

    @Test mutating func `a partition that is read to its end is not stalled, and its time begins with the next record`()
    {
        var found = stalled([0: (5, 0)], after: 0)
        found += stalled([0: (5, 0)], after: 1000)
        found += stalled([0: (5, 1)], after: 1059)
        #expect(found.isEmpty)
        found = stalled([0: (5, 1)], after: 1060)
        #expect(found == [0])
    }

    @Test mutating func `a partition that no broker has answered for is stalled, and one that is revoked is not`() {
        var found = stalled([0: (5, nil), 1: (nil, nil)], after: 0)
        #expect(found.isEmpty)
        found = stalled([0: (5, nil), 1: (nil, nil)], after: 60)
        #expect(found == [0, 1])
        found = stalled([1: (nil, nil)], after: 61)
        #expect(found == [1])
        found = stalled([0: (5, nil), 1: (nil, nil)], after: 62)
        #expect(found == [1])
    }

    @Test func `a consumer with a stalled partition is not ready, and says which partition`() {
        let readiness = ConsumerReadiness()
        readiness.setStoreOpen()
        readiness.setAssigned(true)
        #expect(readiness.reasonNotReady == nil)
        readiness.setStalled([3, 7])
        #expect(readiness.reasonNotReady?.contains("partition 3, 7") == true)
        readiness.setStalled([])
        #expect(readiness.reasonNotReady == nil)
    }
}
