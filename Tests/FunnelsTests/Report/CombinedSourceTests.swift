import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

/// Compares the report of several stores with the brute force over all events.
@Suite struct CombinedSourceTests {
    @Test(arguments: Seeds.upTo(200))
    func `any split of installs over stores gives the figures of one`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        random.hasAllKeys = true
        let funnels = try random.funnels()
        let days = Int64(random.generator.pick([1, 4, 20]))
        let events = random.events(count: 60, installs: random.generator.pick([2, 8, 20]), days: days)
        let count = Int(random.generator.next() % 3) + 2
        var stores = try (0..<count).map { _ in
            try CountedTopic(funnels: funnels, eventsPerBlock: random.eventsPerBlock())
        }
        var places: [String: Int] = [:]
        for event in events {
            let drawn = Int(random.generator.next() % UInt64(count))
            let place = places[event.installID, default: drawn]
            places[event.installID] = place
            try stores[place].insert(event)
            if random.generator.chance(15) { try stores[place].commit() }
        }
        for place in stores.indices { try stores[place].commit() }
        let source = CombinedSource(stores.enumerated().map { StorePart(name: "\($0.offset)", source: $0.element) })
        let oracle = FunnelOracle(funnels: funnels, records: events.map { FunnelOracle.Record($0) })
        let first = Int32(random.start / 86_400_000)
        let choices = [nil] + (-1...Int32(days)).map { Day(number: first + $0) }
        let (from, to) = random.days(among: choices)
        var found = try FunnelReport.make(
            from: source,
            funnels: funnels,
            ReportRequest(days: .between(from, to), hasTimes: true)
        )
        for index in found.funnels.indices { found.funnels[index].states = DayStates() }
        try #require(found == oracle.report(from: from, to: to, hasTimes: true), "seed \(seed)")
    }

    private struct Stream: PartialSummary {
        var state: TopicProgress
        var reads: [Int32: Timestamp] = [:]

        func topicProgress() throws -> TopicProgress { state }
        func partitionReads() throws -> [Int32: Timestamp] { reads }
    }

    @Test
    func `days are settled and final where they are so in each store, and the store that holds them back is named`()
        throws
    {
        func stream(_ day: Int64, isKnown: Bool = true) -> Stream {
            let time = Timestamp(milliseconds: day * 86_400_000)
            return Stream(
                state: TopicProgress(
                    partitions: [PartitionProgress(partition: 0, nextOffset: 1, watermark: isKnown ? time : nil)],
                    partitionCount: 1,
                    greatestLateness: 86_400_000
                ),
                reads: [0: time]
            )
        }
        let funnel = try Funnel(name: "a", window: .seconds(1), steps: [Step(name: "a", event: "a")])
        func states(_ streams: [Stream]) throws -> DayStates {
            let parts = streams.enumerated().map { StorePart(name: "store \($0.offset)", source: $0.element) }
            return try FunnelReport.make(from: CombinedSource(parts), funnels: [funnel], ReportRequest()).funnels[0]
                .states
        }
        // Five days apart: within one topic, the partition behind would be idle.
        let found = try states([stream(105), stream(100)])
        #expect(found.settledTo == Day(number: 98) && found.finalTo == Day(number: 97))
        let alone = try states([stream(100)])
        #expect(found.settledTo == alone.settledTo && found.finalTo == alone.finalTo)
        // Without entries, nothing is held back.
        #expect(found.heldBackBy == nil)
        let joined = DayStates(joining: [
            ("eu", DayStates(settledTo: Day(number: 5), finalTo: Day(number: 3))),
            (
                "us",
                DayStates(
                    settledTo: Day(number: 4),
                    heldBackBy: HeldBack(
                        settled: HeldBack.Partition(partition: 1, time: nil),
                        final: HeldBack.Partition(partition: 2, time: nil)
                    )
                )
            ),
        ])
        #expect(joined.settledTo == Day(number: 4) && joined.finalTo == nil)
        #expect(joined.heldBackBy?.settled == HeldBack.Partition(partition: 1, time: nil, store: "us"))
        #expect(joined.heldBackBy?.final == HeldBack.Partition(partition: 2, time: nil, store: "us"))
        #expect(try states([stream(100), stream(0, isKnown: false)]).settledTo == nil)

        let parts = [StorePart(name: "eu", source: stream(100)), StorePart(name: "us", source: stream(0))]
        let unread = try CombinedSource(parts).unreadPartitions(now: Timestamp(milliseconds: 100 * 86_400_000))
        #expect(unread == [UnreadPartition(partition: 0, readAt: Timestamp(milliseconds: 0), store: "us")])
    }
}
