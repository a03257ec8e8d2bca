/// Decides when to commit: often enough that a crash repeats little work, and seldom enough that a busy install is written
/// once for many events.
struct CommitSchedule {
    private let interval: Duration
    private let quietInterval: Duration
    private let byteLimit: Int
    private var lastStart: ContinuousClock.Instant

    /// - Parameters:
    ///   - interval: the longest time from one commit's start to the next one's while records keep coming.
    ///   - quietInterval: the time from one commit's start to the next one's while no records arrive.
    ///   - byteLimit: the memory for events that are not committed, in bytes.
    init(
        interval: Duration,
        quietInterval: Duration = .milliseconds(200),
        byteLimit: Int = 64 * 1024 * 1024,
        now: ContinuousClock.Instant
    ) {
        self.interval = interval
        self.quietInterval = min(quietInterval, interval)
        self.byteLimit = byteLimit
        lastStart = now
    }

    /// Whether a commit is due.
    ///
    /// - Parameters:
    ///   - isQuiet: whether the last poll returned no records.
    ///   - byteCount: the memory of the events that are not committed, in bytes.
    func isDue(now: ContinuousClock.Instant, isQuiet: Bool, byteCount: Int) -> Bool {
        byteCount >= byteLimit || lastStart.duration(to: now) >= (isQuiet ? quietInterval : interval)
    }

    /// Whether reading must wait for a commit, because the memory limit is reached.
    func isFull(byteCount: Int) -> Bool { byteCount >= byteLimit }

    /// Records the start of a commit.
    mutating func recordStart(now: ContinuousClock.Instant) { lastStart = now }
}
