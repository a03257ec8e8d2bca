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

    @Test func `a floor holds where there is no watermark, and where it is above what the watermark admits`() {
        func horizon(floor: Int64?, watermark: Int64?, lateness: Int64 = 100) -> Int64? {
            var partition = progress([0: watermark])[0]
            partition.floor = floor.map { Timestamp(milliseconds: start + $0) }
            let others = progress([1: 9000])
            return EvidenceHorizon.time([partition] + others, partitionCount: 2, allowedLateness: lateness)
                .map { $0.milliseconds - start }
        }
        #expect(horizon(floor: 2000, watermark: nil) == 2000)
        #expect(horizon(floor: 2000, watermark: 2050) == 2000)
        #expect(horizon(floor: 2000, watermark: 3000) == 2900)
        #expect(horizon(floor: nil, watermark: nil) == nil)
    }

    @Test func `a lateness without bound leaves nothing past`() {
        #expect(horizon([0: 5000], of: 1, lateness: .max) == nil)
        #expect(horizon([0: 5000], of: 1, lateness: 1_000_000 * 86_400_000) == nil)
    }
}
