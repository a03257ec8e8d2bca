import Testing

@testable import FunnelConsumer

@Suite struct CommitScheduleTests {
    private let start = ContinuousClock.now
    private var schedule: CommitSchedule

    init() {
        schedule = CommitSchedule(
            interval: .milliseconds(800),
            quietInterval: .milliseconds(200),
            byteLimits: 200...1000,
            now: start
        )
    }

    @Test func `a commit takes in a quarter of the cache, within limits`() {
        let mebibytes = [0, 100, 256, 400, 512, 1024, 100_000]
        let limits = mebibytes.map { CommitSchedule.byteLimits(cacheBytes: $0 << 20) }
        #expect(limits.map { $0.upperBound >> 20 } == [64, 64, 64, 100, 128, 256, 256])
        #expect(limits.allSatisfy { $0.lowerBound == 64 << 20 })
        #expect(CommitSchedule.byteLimits(cacheBytes: .max).upperBound == 256 << 20)
    }

    @Test mutating func `where large commits take long, the next ones are smaller`() {
        func limit() -> Int? { (1...2000).first { schedule.isFull(byteCount: $0) } }
        func commit(_ byteCount: Int, seconds: Int64) {
            schedule.recordStart(now: start, byteCount: byteCount)
            schedule.recordEnd(now: start + .seconds(seconds))
        }
        commit(1000, seconds: 6)
        #expect(limit() == 1000)
        commit(1000, seconds: 12)
        #expect(limit() == 500)
        commit(500, seconds: 60)
        #expect(limit() == 200)
        // Too small to say anything, then fast again.
        commit(99, seconds: 0)
        #expect(limit() == 200)
        commit(200, seconds: 2)
        #expect(limit() == 600)
        commit(600, seconds: 0)
        #expect(limit() == 1000)
    }

    @Test func `at a stop few events are committed, and many are left to the next start`() {
        #expect(schedule.isWorthCommittingAtStop(byteCount: 0) && schedule.isWorthCommittingAtStop(byteCount: 249))
        #expect(!schedule.isWorthCommittingAtStop(byteCount: 250))
    }

    private func isDue(after milliseconds: Int, byteCount: Int = 1) -> Bool {
        schedule.isDue(now: start + .milliseconds(milliseconds), byteCount: byteCount)
    }

    @Test mutating func `while records keep coming a commit is due at the interval`() {
        for arrival in stride(from: 0, through: 600, by: 200) {
            schedule.recordArrival(now: start + .milliseconds(arrival))
            #expect(!isDue(after: arrival) && !isDue(after: arrival + 199))
        }
        #expect(isDue(after: 800))
    }

    @Test mutating func `a short pause between records does not make it due`() {
        schedule.recordArrival(now: start + .milliseconds(500))
        #expect(!isDue(after: 749))
        #expect(isDue(after: 750))
    }

    @Test func `when no more records arrive it is due sooner`() {
        #expect(!isDue(after: 249))
        #expect(isDue(after: 250))
    }

    @Test mutating func `the quiet interval is never longer than the other`() {
        var schedule = CommitSchedule(interval: .milliseconds(50), now: start)
        schedule.recordArrival(now: start + .milliseconds(40))
        #expect(schedule.isDue(now: start + .milliseconds(50), byteCount: 1))
    }

    @Test func `what fills the memory is due at once and stops the reading`() {
        #expect(!isDue(after: 0, byteCount: 999) && !schedule.isFull(byteCount: 999))
        #expect(isDue(after: 0, byteCount: 1000) && schedule.isFull(byteCount: 1000))
    }

    @Test mutating func `the interval counts from a commit's start to the next one's`() {
        schedule.recordStart(now: start + .milliseconds(800), byteCount: 1)
        schedule.recordArrival(now: start + .milliseconds(1550))
        #expect(!isDue(after: 1599))
        #expect(isDue(after: 1600))
    }
}
