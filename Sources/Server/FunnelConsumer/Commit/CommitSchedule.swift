/// Decides when to commit: often enough that a crash repeats little work, and seldom enough that a busy install is written
/// once for many events.
struct CommitSchedule {
    private let interval: Duration
    // From one commit's start to the next one's while no records arrive.
    private let quietInterval: Duration
    private let byteLimits: ClosedRange<Int>
    private var byteLimit: Int
    /// The start of the last commit.
    private(set) var lastStart: ContinuousClock.Instant
    // The memory of the events of the last commit, in bytes.
    private var lastByteCount = 0
    private var lastArrival: ContinuousClock.Instant
    // The number of records that were read since the last commit's start.
    private var readCount = 0
    // The value of `readCount` at which to count the unread records again.
    private var recountAt = 0
    // Longer than the pauses in a steady load: a producer waits until a batch is full, and a broker before it answers.
    private static let pause = Duration.milliseconds(250)
    // A consumer that stops waits for the commit under way, and one that takes ten seconds is reported as slow.
    private static let greatestCommit = Duration.seconds(8)
    // More would save few commits, and a crash repeats what was read since the last one.
    private static let intervalsWhileBehind = 6
    // Of so many events of each install, twice as many in one commit save few rows, and take as much more memory.
    private static let manyEvents = 8

    /// - Parameters:
    ///   - interval: the longest time from one commit's start to the next one's while records keep coming; six times as
    ///     long while the consumer is behind.
    ///   - byteLimits: the memory for events that are not committed, in bytes. The limit is the upper bound, or half of it
    ///     where they are many of each install. Where a large commit takes longer than eight seconds, the limit falls, at
    ///     most to the lower bound.
    init(
        interval: Duration,
        byteLimits: ClosedRange<Int>,
        now: ContinuousClock.Instant
    ) {
        self.interval = interval
        quietInterval = min(.milliseconds(200), interval)
        self.byteLimits = byteLimits
        byteLimit = byteLimits.upperBound
        lastStart = now
        lastArrival = now
    }

    /// The memory for events that are not committed.
    ///
    /// The more events a commit takes in, the fewer rows it writes for each. But a crash repeats them.
    ///
    /// - Parameters:
    ///   - cacheBytes: the memory that the consumer may take for rows, in bytes.
    ///   - inBatches: whether the rows of a large commit are written in batches. Otherwise all of them are in memory.
    static func byteLimits(cacheBytes: Int, inBatches: Bool) -> ClosedRange<Int> {
        64 << 20...min(max(cacheBytes / (inBatches ? 2 : 4), 64 << 20), 256 << 20)
    }

    /// Whether a commit is due.
    ///
    /// A consumer that is behind commits less often. The more events of an install a commit takes in, the less each of them
    /// costs, and no report can be up to date yet.
    ///
    /// - Parameter unread: counts the records of the topic that are not read yet. It is called a few times for each commit.
    mutating func isDue(now: ContinuousClock.Instant, _ pending: PendingLoad, unread: () -> Int) -> Bool {
        if isFull(pending) { return true }
        let isQuiet = lastArrival.duration(to: now) >= Self.pause
        let elapsed = lastStart.duration(to: now)
        guard elapsed >= (isQuiet ? quietInterval : interval) else { return false }
        return isQuiet || elapsed >= interval * Self.intervalsWhileBehind || !isBehind(after: elapsed, unread)
    }

    /// Whether the unread records take longer than the quiet interval, at the rate at which records were read since the
    /// last commit.
    private mutating func isBehind(after elapsed: Duration, _ unread: () -> Int) -> Bool {
        guard readCount >= recountAt else { return true }
        let excess = unread() - Int(Double(readCount) * (quietInterval / elapsed))
        guard excess > 0 else { return false }
        // Each record that is read also leaves one unread record less, so half of the excess is enough.
        recountAt = readCount + (excess + 1) / 2
        return true
    }

    /// Whether a consumer that is stopped commits the events that it has read. Otherwise the next start reads them again.
    ///
    /// A consumer that catches up would wait for two large commits. To read the events again takes less time.
    func isWorthCommittingAtStop(_ pending: PendingLoad) -> Bool { pending.byteCount < byteLimit / 4 }

    /// Whether reading must wait for a commit, because the memory limit is reached.
    func isFull(_ pending: PendingLoad) -> Bool {
        guard pending.byteCount < byteLimit else { return true }
        return pending.byteCount >= max(byteLimit / 2, byteLimits.lowerBound)
            && pending.eventCount >= Self.manyEvents * pending.installCount
    }

    /// Records the arrival of records.
    ///
    /// A single poll without records does not mean that no records arrive: the end of a commit wakes the consumer, too.
    mutating func recordArrival(of count: Int, now: ContinuousClock.Instant) {
        lastArrival = now
        readCount += count
    }

    /// Records the start of a commit.
    mutating func recordStart(now: ContinuousClock.Instant, _ pending: PendingLoad) {
        lastStart = now
        lastByteCount = pending.byteCount
        readCount = 0
        recountAt = 0
    }

    /// Records the end of the commit that was started last.
    mutating func recordEnd(now: ContinuousClock.Instant) {
        // What a small commit takes says little of a large one.
        guard lastByteCount >= byteLimits.lowerBound / 2 else { return }
        let duration = max(lastStart.duration(to: now), .milliseconds(1))
        let affordable = Double(lastByteCount) * (Self.greatestCommit / duration)
        byteLimit = Int(min(max(affordable, Double(byteLimits.lowerBound)), Double(byteLimits.upperBound)))
    }
}

/// What a consumer has read and not committed.
struct PendingLoad {
    /// The memory that it takes, in bytes, approximately.
    var byteCount: Int
    /// The number of matching events.
    var eventCount = 0
    /// The number of installs.
    var installCount = 0
}
