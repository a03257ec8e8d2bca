import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

/// Compares the engine with the brute force, for definitions with every key.
@Suite struct AllKeysTests {
    // 2026-03-01; 2010-11-05, before a date comes twice in St. John's; 2011-12-28, before Apia skips one.
    private static let starts: [Int64] = [1_772_323_200_000, 1_288_915_200_000, 1_325_030_400_000]

    /// Each seed draws definitions and the events of ten installs on average: 10,000 cases in all.
    @Test(arguments: Seeds.upTo(1000))
    func `random definitions count what the brute force counts`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        random.hasAllKeys = true
        random.start = random.generator.pick(Self.starts)
        let funnels = try random.funnels()
        let days = Int64(random.generator.pick([1, 4, 20]))
        let events = random.events(count: 40, installs: random.generator.pick([2, 8, 20]), days: days)
        try check(events, funnels, days: days, &random, seed: seed)
    }

    // In St. John's, 2010-11-07 began at 02:30 UTC. A minute later it was 23:01 of the day before.
    private static let repeated: Int64 = 1_289_097_060_000

    @Test(arguments: Seeds.upTo(250))
    func `random definitions count what the brute force counts where a date comes twice`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        random.hasAllKeys = true
        random.zones = ["America/St_Johns"]
        random.start = Self.repeated - 2 * 86_400_000
        let funnels = try random.funnels()
        var events = random.events(count: 3 + Int(random.generator.next() % 10), installs: 1)
        for index in events.indices {
            // Around the minute, around the second midnight, and a day before and after.
            let seconds: Int64 = random.generator.pick(
                [-86_400, -3_600, -61, -60, -59, -30, -1, 0, 1, 30, 3_539, 3_540, 3_541, 7_200, 86_400, 90_000]
            )
            events[index].time = Timestamp(milliseconds: Self.repeated + seconds * 1000)
        }
        try check(events, funnels, days: 5, &random, seed: seed)
    }

    private func check(
        _ events: [Event],
        _ funnels: [Funnel],
        days: Int64,
        _ random: inout RandomFunnels,
        seed: UInt64
    ) throws {
        var stream = events.sorted { $0.time < $1.time }
        let disorder = random.generator.pick([0, 5, 100] as [UInt64])
        for index in stream.indices where random.generator.chance(disorder) {
            stream.swapAt(index, Int(random.generator.next() % UInt64(stream.count)))
        }
        for event in events where random.generator.chance(10) {
            stream.insert(event, at: Int(random.generator.next() % UInt64(stream.count + 1)))
        }
        var topic = try CountedTopic(
            funnels: funnels,
            eventsPerBlock: random.eventsPerBlock(),
            installsAtOnce: random.generator.pick([2, 16_384])
        )
        for event in stream {
            try topic.insert(event)
            guard random.generator.chance(15) else { continue }
            try topic.commit()
            if random.generator.chance(20) { try topic.restart() }
        }
        try topic.commit()
        let oracle = FunnelOracle(funnels: funnels, records: stream.map { FunnelOracle.Record($0) })
        let first = Int32(random.start / 86_400_000)
        let choices = [nil] + (-1...Int32(days)).map { Day(number: first + $0) }
        for _ in 0..<2 {
            let (from, to) = random.days(among: choices)
            var request = ReportRequest(days: .between(from, to))
            request.hasTimes = true
            var found = try FunnelReport.make(from: topic, funnels: funnels, request)
            for index in found.funnels.indices { found.funnels[index].states = DayStates() }
            let expected = oracle.report(from: from, to: to, hasTimes: true)
            try #require(found == expected, "seed \(seed)")
        }
    }
}
