import Testing

@testable import FunnelConsumer

@Suite struct CommitScheduleTests {
    private let start = ContinuousClock.now
    private var schedule: CommitSchedule

    init() {
        schedule = CommitSchedule(
            interval: .milliseconds(800),
            byteLimits: 200...1000,
            now: start
        )
    }

    @Test(arguments: [
        (false, [64, 64, 64, 100, 128, 256, 256]),
        (true, [64, 64, 128, 200, 256, 256, 256]),
    ])
    func `a commit takes in a part of the cache, within limits`(inBatches: Bool, expected: [Int]) {
        let mebibytes = [0, 100, 256, 400, 512, 1024, 100_000]
        let limits = mebibytes.map { CommitSchedule.byteLimits(cacheBytes: $0 << 20, inBatches: inBatches) }
        #expect(limits.map { $0.upperBound >> 20 } == expected)
        #expect(limits.allSatisfy { $0.lowerBound == 64 << 20 })
        #expect(CommitSchedule.byteLimits(cacheBytes: .max, inBatches: inBatches).upperBound == 256 << 20)
    }

    @Test func `many events of each install fill half of the memory`() {
        func isFull(_ byteCount: Int, events: Int) -> Bool {
            schedule.isFull(PendingLoad(byteCount: byteCount, eventCount: events, installCount: 10))
        }
        #expect(!isFull(499, events: 80) && isFull(500, events: 80))
        #expect(!isFull(999, events: 79) && isFull(1000, events: 79))
        let small = CommitSchedule(interval: .seconds(1), byteLimits: 800...1000, now: start)
        let many = [799, 800].map { PendingLoad(byteCount: $0, eventCount: 80, installCount: 10) }
        #expect(!small.isFull(many[0]) && small.isFull(many[1]))
    }

    @Test mutating func `where large commits take long, the next ones are smaller`() {
        func limit() -> Int? { (1...2000).first { schedule.isFull(load($0)) } }
        func commit(_ byteCount: Int, seconds: Int64) {
            schedule.recordStart(now: start, load(byteCount))
            schedule.recordEnd(now: start + .seconds(seconds))
        }
        commit(1000, seconds: 8)
        #expect(limit() == 1000)
        commit(1000, seconds: 16)
        #expect(limit() == 500)
        commit(500, seconds: 60)
        #expect(limit() == 200)
        // Too small to say anything, then fast again.
        commit(99, seconds: 0)
        #expect(limit() == 200)
        commit(200, seconds: 2)
        #expect(limit() == 800)
        commit(800, seconds: 0)
        #expect(limit() == 1000)
    }

    @Test func `at a stop few events are committed, and many are left to the next start`() {
        #expect(schedule.isWorthCommittingAtStop(load(0)) && schedule.isWorthCommittingAtStop(load(249)))
        #expect(!schedule.isWorthCommittingAtStop(load(250)))
    }

    private mutating func isDue(after milliseconds: Int, byteCount: Int = 1, unread: Int = 0) -> Bool {
        schedule.isDue(now: start + .milliseconds(milliseconds), load(byteCount)) { unread }
    }

    private mutating func read(_ count: Int, at milliseconds: Int) {
        schedule.recordArrival(of: count, now: start + .milliseconds(milliseconds))
    }

    /// Events of which each has an install of its own.
    private func load(_ byteCount: Int) -> PendingLoad {
        PendingLoad(byteCount: byteCount, eventCount: 10, installCount: 10)
    }

    @Test mutating func `while records keep coming a commit is due at the interval`() {
        for arrival in stride(from: 0, through: 600, by: 200) {
            read(1, at: arrival)
            let due = [isDue(after: arrival), isDue(after: arrival + 199)]
            #expect(due == [false, false])
        }
        let isDue = isDue(after: 800)
        #expect(isDue)
    }

    @Test mutating func `while it is behind a commit is due after six intervals`() {
        var due: [Int] = []
        for time in stride(from: 0, through: 10_000, by: 10) {
            read(100, at: time)
            guard isDue(after: time, unread: 1_000_000) else { continue }
            due.append(time)
            schedule.recordStart(now: start + .milliseconds(time), load(1))
        }
        #expect(due == [4800, 9600])
    }

    @Test mutating func `it is behind as long as the rest takes longer than the quiet interval`() {
        read(8000, at: 800)
        let atFirst = [2001, 2000].map { isDue(after: 800, unread: $0) }
        #expect(
            atFirst == [false, false],
            "the unread records are not counted again before half of the excess is read"
        )
        read(1, at: 800)
        let then = isDue(after: 800, unread: 2000)
        #expect(then)
        // After twice the time, what was read in an eighth of it.
        read(7999, at: 1600)
        let later = isDue(after: 1600, unread: 2001)
        read(1, at: 1600)
        let last = isDue(after: 1600, unread: 2000)
        #expect(!later && last)
    }

    @Test mutating func `a consumer that is behind counts the unread records a few times only`() {
        var (left, calls) = (1_000_000, 0)
        var time = 800
        while true {
            (left, time) = (left - 500, time + 1)
            read(500, at: time)
            let isDue = schedule.isDue(now: start + .milliseconds(time), load(1)) {
                calls += 1
                return left
            }
            if isDue { break }
        }
        #expect(left > 0 && left < 200_000 && calls < 20)
    }

    @Test mutating func `behind or not, a commit is due when no records arrive`() {
        read(8000, at: 800)
        let early = isDue(after: 1049, unread: 1_000_000)
        let late = isDue(after: 1050, unread: 1_000_000)
        #expect(!early && late)
    }

    @Test mutating func `a short pause between records does not make it due`() {
        read(1, at: 500)
        let due = [749, 750].map { isDue(after: $0) }
        #expect(due == [false, true])
    }

    @Test mutating func `when no more records arrive it is due sooner`() {
        let due = [249, 250].map { isDue(after: $0) }
        #expect(due == [false, true])
    }

    @Test mutating func `the quiet interval is never longer than the other`() {
        var schedule = CommitSchedule(interval: .milliseconds(50), byteLimits: 200...1000, now: start)
        schedule.recordArrival(of: 1, now: start + .milliseconds(40))
        let isDue = schedule.isDue(now: start + .milliseconds(50), load(1)) { 0 }
        #expect(isDue)
    }

    @Test mutating func `what fills the memory is due at once and stops the reading`() {
        let due = [999, 1000].map { isDue(after: 0, byteCount: $0, unread: 1_000_000) }
        #expect(due == [false, true])
        #expect(!schedule.isFull(load(999)) && schedule.isFull(load(1000)))
    }

    @Test mutating func `the interval counts from a commit's start to the next one's`() {
        schedule.recordStart(now: start + .milliseconds(800), load(1))
        read(1, at: 1550)
        let due = [1599, 1600].map { isDue(after: $0) }
        #expect(due == [false, true])
    }
}
