import Testing

@testable import FunnelConsumer

@Suite struct MemoryScheduleTests {
    private let start = ContinuousClock.now
    // The number of records of a full poll.
    private static let full = 500
    private var schedule: MemorySchedule

    init() { schedule = MemorySchedule(now: start) }

    /// Makes polls after so many seconds; returns how many of them were due.
    private mutating func dueCount(_ counts: [Int], after seconds: Double) -> Int {
        var dueCount = 0
        for count in counts {
            let now = start + .seconds(seconds)
            if schedule.isDue(pollCount: count, isFull: count == Self.full, now: now) { dueCount += 1 }
        }
        return dueCount
    }

    @Test mutating func `memory is returned once after the consumer has caught up`() {
        let behind = dueCount(Array(repeating: Self.full, count: 400), after: 20)
        let caughtUp = dueCount([Self.full - 1], after: 20)
        let later = dueCount([0], after: 60)
        #expect([behind, caughtUp, later] == [0, 1, 0])
    }

    @Test mutating func `few records leave nothing to return`() {
        let dueCount = dueCount([Self.full - 1] + Array(repeating: 0, count: 40), after: 20)
        #expect(dueCount == 0)
    }

    @Test mutating func `under a steady load memory is returned now and then`() {
        var count = 0
        // 2,000 events each second for ten minutes.
        for poll in 0..<6000 { count += dueCount([200], after: 0.1 * Double(poll)) }
        #expect(count == 12)
    }

    @Test mutating func `it is returned every ten seconds at most`() {
        let behind = dueCount(Array(repeating: Self.full, count: 400), after: 0)
        let tooEarly = dueCount([0], after: 9.999)
        let inTime = dueCount([0], after: 10)
        #expect([behind, tooEarly, inTime] == [0, 0, 1])
    }
}
