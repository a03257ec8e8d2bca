import FlowEventTestSupport
import Testing

@Suite struct SeedsTests {
    @Test(arguments: [50, 60, 100, 200, 250, 400, 800, 20_000] as [UInt64])
    func `the seeds of a test differ, and reach every kind of input that a test chooses by a seed`(count: UInt64) {
        let seeds = Seeds.upTo(count)
        #expect(Set(seeds).count == seeds.count && seeds.count >= Seeds.usualCount)
        for divisor in 2...5 as ClosedRange<UInt64> { #expect(Set(seeds.map { $0 % divisor }).count == divisor) }
        #expect(seeds.contains { $0 < count / 4 } && seeds.contains { $0 >= count / 4 * 3 })
    }

    @Test func `a test with few seeds takes all of them`() {
        #expect(Seeds.upTo(20).starts(with: 0..<20))
    }
}
