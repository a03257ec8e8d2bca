import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct HistoryCostTests {
    private static let minute: Int64 = 60_000

    /// A view of the home screen, which alone never deepens a day.
    private func event(_ number: Int, every distance: Int64) -> Event {
        let digits = String(number, radix: 16)
        return Event(
            id: "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits,
            source: "app://test",
            type: "screen_view",
            time: Timestamp(milliseconds: 1_772_323_200_000 + Int64(number) * distance),
            installID: "install",
            sessionID: "session-\(number / 20)",
            sequence: Int64(number),
            screen: "home"
        )
    }

    /// What single events cost after a history.
    private struct Cost {
        var rows = 0
        var bytes = 0
        var greatestWrite = 0
    }

    private func cost(of count: Int, after history: Int, every distance: Int64, atOnce: Int = 37) throws -> Cost {
        let funnels = try RandomFunnels.twoSteps()
        var topic = try CountedTopic(funnels: funnels)
        for number in 0..<history {
            try topic.insert(event(number, every: distance))
            if number % atOnce == 0 { try topic.commit() }
        }
        try topic.commit()
        var cost = Cost()
        let reads = topic.historyReadCount
        for number in history..<history + count {
            try topic.insert(event(number, every: distance))
            try topic.commit()
            let write = try #require(topic.written.first)
            let bytes = write.state.count + write.history.reduce(0) { $0 + $1.state.count }
            cost.rows += 1 + write.history.count
            cost.bytes += bytes
            if write.history.isEmpty { cost.greatestWrite = max(cost.greatestWrite, bytes) }
        }
        #expect(topic.historyReadCount == reads)
        #expect(try topic.contents().first?.events.count == history + count)
        return cost
    }

    @Test func `one more event costs the same after 40 events as after 4,000`() throws {
        let few = try cost(of: 64, after: 40, every: 40 * Self.minute)
        let many = try cost(of: 64, after: 4000, every: 40 * Self.minute)
        for (left, right) in [(few, many), (many, few)] {
            #expect(left.rows * 2 <= right.rows * 3)
            #expect(left.bytes * 2 <= right.bytes * 3, "\(left) \(right)")
            #expect(left.greatestWrite * 2 <= right.greatestWrite * 3)
        }
        // Two of the 64 events move others to a block: that writes the block and the index, too, which can get a row more.
        #expect(many.rows <= 64 + 2 * 2 + 1)
    }

    @Test func `one more event of an install with 100,000 events reads and writes only the recent ones`() throws {
        let many = try cost(of: 40, after: 99_960, every: 10_000, atOnce: 5000)
        // The recent events are the 32 newest, those within the window and an hour before, and less than a batch. Each has some
        // 30 bytes.
        #expect(many.greatestWrite < (32 + 90 * 6 + 32 + 1) * 40)
    }

    @Test func `a repeat of an event in a block reads the history, and is a duplicate`() throws {
        var topic = try CountedTopic(funnels: try RandomFunnels.twoSteps())
        for number in 0..<200 { try topic.insert(event(number, every: 40 * Self.minute)) }
        try topic.commit()
        #expect(try topic.rows().first.map { $0.history.count > 2 } == true)
        let reads = topic.historyReadCount
        for number in [3, 100, 150] {
            var copy = event(number, every: 40 * Self.minute)
            copy.time = event(201, every: 40 * Self.minute).time
            try topic.insert(copy)
        }
        try topic.commit()
        #expect(topic.historyReadCount == reads + 1)
        #expect(try topic.quality().duplicates == 3)
        #expect(topic.written.isEmpty)
    }
}
