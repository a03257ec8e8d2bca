import FlowEvents
import Testing

@testable import Funnels

@Suite struct EvidenceHorizonTests {
    private let start: Int64 = 1_772_323_200_000

    private func progress(_ watermarks: [Int32: Int64?]) -> [PartitionProgress] {
        watermarks.map { partition, watermark in
            PartitionProgress(
                partition: partition,
                nextOffset: 1,
                watermark: watermark.map { Timestamp(milliseconds: start + $0) }
            )
        }
    }

    private func horizon(_ watermarks: [Int32: Int64?], of count: Int, lateness: Int64 = 100) -> Int64? {
        EvidenceHorizon.time(progress(watermarks), partitionCount: count, allowedLateness: lateness)
            .map { $0.milliseconds - start }
    }

    @Test func `the partition that is least far decides`() {
        #expect(horizon([0: 5000, 1: 3000, 2: 4000], of: 3) == 2900)
    }

    @Test func `a partition that was not read, or had no valid event, bounds nothing`() {
        #expect(horizon([0: 5000, 2: 4000], of: 3) == nil)
        #expect(horizon([0: 5000, 1: nil], of: 2) == nil)
        #expect(horizon([0: 5000, 1: 3000, 2: nil], of: 2) == nil)
        #expect(horizon([:], of: 0) == nil)
    }

    @Test func `a lateness without bound leaves nothing past`() {
        #expect(horizon([0: 5000], of: 1, lateness: .max) == nil)
        #expect(horizon([0: 5000], of: 1, lateness: 1_000_000 * 86_400_000) == nil)
    }
}
