import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct HistoryTests {
    /// Events mostly in order of time, some of them much later and some repeated.
    private func stream(_ random: inout RandomFunnels, _ events: [Event]) -> [Event] {
        var stream = events.sorted { $0.time < $1.time }
        let lateness = random.generator.pick([0, 3, 20] as [UInt64])
        for index in stream.indices where random.generator.chance(lateness) {
            stream.swapAt(index, Int(random.generator.next() % UInt64(stream.count)))
        }
        let repeats = random.generator.pick([0, 2, 20] as [UInt64])
        for event in events where random.generator.chance(repeats) {
            var copy = event
            // The first to arrive counts, so a repeat with another time changes nothing, wherever its first is kept.
            if random.generator.chance(50) {
                copy.time = Timestamp(
                    milliseconds: event.time.milliseconds + random.generator.pick([-1, 1, 90_000_000])
                )
            }
            stream.insert(copy, at: Int(random.generator.next() % UInt64(stream.count + 1)))
        }
        return stream
    }

    @Test(arguments: Seeds.upTo(600))
    func `an install in blocks counts what it counts as one row, and what the brute force counts`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        random.hasAllKeys = seed >= 300
        let funnels = try random.funnels()
        let days = Int64(random.generator.pick([3, 20, 60]))
        let events = random.events(
            count: 40 + Int(random.generator.next() % 120),
            installs: 1 + Int(seed % 2),
            days: days
        )
        let stream = stream(&random, events)
        var inBlocks = try CountedTopic(
            funnels: funnels,
            eventsPerBlock: random.eventsPerBlock(),
            installsAtOnce: random.generator.pick([1, 16_384])
        )
        var inOneRow = try CountedTopic(funnels: funnels, eventsPerBlock: 1 << 32)
        let commits = random.generator.pick([3, 20, 60] as [UInt64])
        for event in stream {
            try inBlocks.insert(event)
            try inOneRow.insert(event)
            if random.generator.chance(commits) {
                try inBlocks.commit()
                try inOneRow.commit()
                if random.generator.chance(20) { try inBlocks.restart() }
            }
        }
        try inBlocks.commit()
        try inOneRow.commit()
        for (found, expected) in zip(try inBlocks.contents(), try inOneRow.contents()) {
            try #require(found.events == expected.events, "seed \(seed)")
            try #require(Set(found.results) == Set(expected.results), "seed \(seed)")
            try #require(found.results.count == expected.results.count, "seed \(seed)")
        }
        let oracle = FunnelOracle(funnels: funnels, records: stream.map { FunnelOracle.Record($0) })
        let choices = [nil] + (0..<days).map { Day(number: 20_513 + Int32($0)) }
        for _ in 0..<6 {
            let (from, to) = random.days(among: choices)
            let found = try FunnelReport.figures(from: inBlocks, funnels: funnels, from: from, to: to)
            try #require(found == oracle.report(from: from, to: to), "seed \(seed)")
        }
    }

    @Test(arguments: [-1, 0, 1] as [Int64])
    func `an event one window after the last event of a block belongs to its attempts`(distance: Int64) throws {
        let funnels = try RandomFunnels.twoSteps()
        let window = funnels[0].windowMilliseconds
        var topic = try CountedTopic(funnels: funnels)
        // The first 32 events are moved to a block, the others stay.
        for number in 0..<32 as Range<Int64> { try topic.insert(screenView("home", "a", at: number)) }
        for number in 0..<31 as Range<Int64> { try topic.insert(screenView("home", "a", at: 2 * 86_400_000 + number)) }
        try topic.commit()
        #expect(try topic.rows().first?.history.map(\.number) == [0, 1])
        let reads = topic.historyReadCount
        try topic.insert(screenView("paywall", "a", at: 31 + window + distance))
        try topic.commit()
        let report = try FunnelReport.figures(from: topic, funnels: funnels)
        #expect(report.funnels[0].steps.map(\.count) == [1, distance > 0 ? 0 : 1])
        #expect(topic.historyReadCount == reads + (distance > 0 ? 0 : 1))
    }
}
