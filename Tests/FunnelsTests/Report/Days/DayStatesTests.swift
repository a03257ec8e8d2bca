import FlowEventTestSupport
import FlowEvents
import Testing

@testable import Funnels

@Suite struct DayStatesTests {
    private static let day: Int64 = 86_400_000
    private static let hour: Int64 = 3_600_000

    private static func states(
        _ watermarks: [Int64?],
        atEnd: Set<Int32> = [],
        count: Int32? = nil,
        lateness: Int64? = 14 * day,
        window: Int64 = hour,
        lastEntry: Int32? = nil
    ) -> DayStates {
        let partitions = watermarks.enumerated().map { index, time in
            PartitionProgress(
                partition: Int32(index),
                nextOffset: 1,
                watermark: time.map { Timestamp(milliseconds: $0) },
                isAtEnd: atEnd.contains(Int32(index))
            )
        }
        let stream = TopicProgress(
            partitions: partitions,
            partitionCount: count ?? Int32(watermarks.count),
            greatestLateness: lateness
        )
        return DayStates(stream, window: window, .utc) { after in
            lastEntry.flatMap { last in after.map { $0.number < last } ?? true ? Day(number: last) : nil }
        }
    }

    @Test func `a day is settled when the least watermark is the window after its end, that moment included`() {
        #expect(Self.states([101 * Self.day + Self.hour]).settledTo == Day(number: 100))
        #expect(Self.states([101 * Self.day + Self.hour - 1]).settledTo == Day(number: 99))
        #expect(Self.states([101 * Self.day + Self.hour, 105 * Self.day]).settledTo == Day(number: 100))
        #expect(Self.states([101 * Self.day], window: 3 * Self.day).settledTo == Day(number: 97))
    }

    @Test func `a partition that has had no event does not keep a day from being settled, only from being final`() {
        let states = Self.states([120 * Self.day, nil], lastEntry: 119)
        #expect(states.settledTo == Day(number: 118))
        #expect(states.finalTo == nil)
        #expect(
            states.heldBackBy?.settled == HeldBack.Partition(partition: 0, time: .init(milliseconds: 120 * Self.day))
        )
        #expect(states.heldBackBy?.final == HeldBack.Partition(partition: 1, time: nil))
        // The store knows nothing of partition 1, and the topic has it.
        let unread = Self.states([120 * Self.day], count: 2, lastEntry: 100)
        #expect(unread.finalTo == nil)
        #expect(unread.heldBackBy == HeldBack(settled: nil, final: HeldBack.Partition(partition: 1, time: nil)))
    }

    @Test func `an idle partition is one that was read to its end and is more than a day behind`() {
        let (late, new) = (120 * Self.day, 121 * Self.day)
        #expect(Self.states([late, new], atEnd: [0]).settledTo == Day(number: 118))
        #expect(Self.states([late - 1, new], atEnd: [0]).settledTo == Day(number: 119))
        #expect(Self.states([late - 1, new]).settledTo == Day(number: 118))
        // It is not idle for what is final.
        #expect(Self.states([late - 1, new], atEnd: [0]).finalTo == Day(number: 104))
    }

    @Test func `a day is final when no event can come that is not late`() {
        #expect(Self.states([115 * Self.day + Self.hour]).finalTo == Day(number: 100))
        #expect(Self.states([115 * Self.day + Self.hour - 1]).finalTo == Day(number: 99))
        #expect(Self.states([115 * Self.day], lateness: nil).finalTo == nil)
        #expect(Self.states([115 * Self.day], lateness: .max).finalTo == nil)
    }

    @Test func `nothing is settled where no partition has had an event`() {
        #expect(Self.states([nil, nil], lastEntry: nil) == DayStates())
        #expect(Self.states([]) == DayStates())
    }

    @Test func `the partition that holds back days is named only where such a day has entries`() {
        let watermark = 120 * Self.day
        let partition = HeldBack.Partition(partition: 0, time: Timestamp(milliseconds: watermark))
        #expect(Self.states([watermark], lastEntry: 119).heldBackBy == HeldBack(settled: partition, final: partition))
        #expect(Self.states([watermark], lastEntry: 118).heldBackBy == HeldBack(settled: nil, final: partition))
        #expect(Self.states([watermark], lastEntry: 104).heldBackBy == nil)
        #expect(Self.states([watermark]).heldBackBy == nil)
        // Of equal partitions, the first one is named.
        let equal = Self.states([watermark, watermark], lastEntry: 119)
        #expect(equal.heldBackBy?.settled?.partition == 0)
    }

    @Test func `a final day is not only settled`() {
        let states = DayStates(settledTo: Day(number: 9), finalTo: Day(number: 5))
        #expect([5, 6, 9, 10].map { states.state(of: Day(number: $0)) } == [.final, .settled, .settled, .open])
        #expect(DayStates().state(of: Day(number: 0)) == .open)
    }

    @Test(arguments: Seeds.upTo(500))
    func `the last days agree with the rule, tried on each day`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = Int(generator.next() % 4) + 1
        let watermarks = (0..<count).map { _ -> Int64? in
            generator.chance(15)
                ? nil : 90 * Self.day + Int64(generator.next() % UInt64(10 * Self.day / Self.hour)) * Self.hour
        }
        let atEnd = Set((0..<Int32(count)).filter { _ in generator.chance(50) })
        let window = generator.pick([1, Self.hour, Self.day, 3 * Self.day + 5])
        let lateness = generator.pick([0, Self.hour, 2 * Self.day])
        let states = Self.states(watermarks, atEnd: atEnd, lateness: lateness, window: window, lastEntry: 120)

        let greatest = watermarks.compactMap { $0 }.max() ?? 0
        let active = watermarks.enumerated().compactMap { index, time in
            time.flatMap { atEnd.contains(Int32(index)) && greatest - $0 > Self.day ? nil : $0 }
        }
        func isSettled(_ day: Int) -> Bool {
            active.min().map { $0 >= Int64(day + 1) * Self.day + window } ?? false
        }
        func isFinal(_ day: Int) -> Bool {
            watermarks.allSatisfy { $0.map { $0 - lateness >= Int64(day + 1) * Self.day + window } ?? false }
        }
        for day in 60..<120 {
            let expected: DayState = isFinal(day) ? .final : isSettled(day) ? .settled : .open
            #expect(states.state(of: Day(number: Int32(day))) == expected, "seed \(seed), day \(day)")
        }
        #expect((states.settledTo == nil) == active.isEmpty)
        #expect((states.finalTo == nil) == watermarks.contains(nil))
        #expect(states.heldBackBy?.settled?.time?.milliseconds == active.min(), "seed \(seed)")
    }
}
