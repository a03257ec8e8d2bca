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

    private func contents(_ store: EngineHarness, _ funnels: [Funnel]) throws -> [InstallContents] {
        try store.rows.all.map { try InstallContents($0, funnels: funnels) }
    }

    @Test(arguments: 0..<600 as Range<UInt64>)
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
        var whole = HistoryShape()
        whole.recentCount = .max
        var inBlocks = EngineHarness(funnels: funnels, shape: random.shape())
        var inOneRow = EngineHarness(funnels: funnels, shape: whole)
        let commits = random.generator.pick([3, 20, 60] as [UInt64])
        for event in stream {
            try inBlocks.insert(event)
            try inOneRow.insert(event)
            if random.generator.chance(commits) {
                try inBlocks.commit()
                try inOneRow.commit()
                if random.generator.chance(20) { inBlocks.restart() }
            }
        }
        try inBlocks.commit()
        try inOneRow.commit()
        for (found, expected) in zip(try contents(inBlocks, funnels), try contents(inOneRow, funnels)) {
            try #require(found.events == expected.events, "seed \(seed)")
            try #require(Set(found.results) == Set(expected.results), "seed \(seed)")
            try #require(found.results.count == expected.results.count, "seed \(seed)")
        }
        let oracle = FunnelOracle(funnels: funnels, records: stream.map { FunnelOracle.Record($0) })
        let choices = [nil] + (0..<days).map { Day(number: 20_513 + Int32($0)) }
        for _ in 0..<6 {
            let (from, to) = (random.generator.pick(choices), random.generator.pick(choices))
            let found = try FunnelReport.make(from: inBlocks, funnels: funnels, from: from, to: to)
            try #require(found == oracle.report(from: from, to: to), "seed \(seed)")
        }
    }

    @Test(arguments: [-1, 0, 1] as [Int64])
    func `an event one window after the last event of a block belongs to its attempts`(distance: Int64) throws {
        let funnels = try RandomFunnels.twoSteps()
        let window = funnels[0].windowMilliseconds
        func event(_ screen: String, at milliseconds: Int64) -> Event {
            Event(
                id: "\(screen)-\(milliseconds)",
                source: "app://test",
                type: "screen_view",
                time: Timestamp(milliseconds: 1_772_323_200_000 + milliseconds),
                installID: "a",
                screen: screen
            )
        }
        var store = EngineHarness(funnels: funnels)
        // The first 40 events are moved to a block, the others stay.
        for number in 0..<40 as Range<Int64> { try store.insert(event("home", at: number)) }
        for number in 0..<40 as Range<Int64> { try store.insert(event("home", at: 2 * 86_400_000 + number)) }
        try store.commit()
        #expect(store.rows.all.first?.history.map(\.number) == [0, 1])
        try store.insert(event("paywall", at: 39 + window + distance))
        try store.commit()
        let report = try FunnelReport.make(from: store, funnels: funnels)
        #expect(report.funnels[0].steps.map(\.count) == [1, distance > 0 ? 0 : 1])
        #expect(store.rows.historyReadCount == (distance > 0 ? 0 : 1))
    }
}
