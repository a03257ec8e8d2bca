import Testing

@testable import FunnelConsumer

@Suite struct CommitScheduleTests {
    private let start = ContinuousClock.now
    private var schedule: CommitSchedule

    init() {
        schedule = CommitSchedule(
            interval: .milliseconds(800),
            quietInterval: .milliseconds(200),
            byteLimit: 1000,
            now: start
        )
    }

    private func isDue(after milliseconds: Int, isQuiet: Bool = false, byteCount: Int = 1) -> Bool {
        schedule.isDue(now: start + .milliseconds(milliseconds), isQuiet: isQuiet, byteCount: byteCount)
    }

    @Test func `while records keep coming a commit is due at the interval`() {
        #expect(!isDue(after: 799))
        #expect(isDue(after: 800))
    }

    @Test func `where nothing comes any more it is due sooner`() {
        #expect(!isDue(after: 199, isQuiet: true))
        #expect(isDue(after: 200, isQuiet: true))
    }

    @Test func `the quiet interval is never longer than the other`() {
        let schedule = CommitSchedule(interval: .milliseconds(50), now: start)
        #expect(schedule.isDue(now: start + .milliseconds(50), isQuiet: true, byteCount: 1))
    }

    @Test func `what fills the memory is due at once and stops the reading`() {
        #expect(!isDue(after: 0, byteCount: 999) && !schedule.isFull(byteCount: 999))
        #expect(isDue(after: 0, byteCount: 1000) && schedule.isFull(byteCount: 1000))
    }

    @Test mutating func `the interval counts from a commit's start to the next one's`() {
        schedule.recordStart(now: start + .milliseconds(800))
        #expect(!isDue(after: 1599))
        #expect(isDue(after: 1600))
    }
}
