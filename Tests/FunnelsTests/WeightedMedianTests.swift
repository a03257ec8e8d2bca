import EventTestSupport
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct WeightedMedianTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `the median is the value at the lower middle rank of what is left`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var median = WeightedMedian()
        var times: [Int64] = []
        let bound: UInt64 = generator.pick([3, 1000, 5_000_000, 8_640_000_000_000])
        for _ in 0..<Int(generator.next() % 60) {
            let time = Int64(generator.next() % bound)
            times.append(time)
            median.add(time, count: 1)
            if generator.chance(30), let gone = times.randomElement(using: &generator) {
                median.add(gone, count: -1)
                times.remove(at: times.firstIndex(of: gone) ?? 0)
            }
        }
        #expect(median.value == (times.isEmpty ? nil : times.sorted()[(times.count + 1) / 2 - 1]), "seed \(seed)")
    }
}
