/// When to commit what has been read: often enough that little is read again after a crash, and seldom enough that an
/// install that is busy is written once and not many times.
struct CommitSchedule {
    private let interval: Duration
    private let quietInterval: Duration
    private let byteLimit: Int
    private var lastStart: ContinuousClock.Instant

    /// - Parameters:
    ///   - interval: the longest time from one commit's start to the next one's while records keep coming.
    ///   - quietInterval: the time where none are waiting.
    ///   - byteLimit: the most memory that may wait to be committed.
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
    ///   - isQuiet: whether the last poll found nothing.
    ///   - byteCount: what waits, in bytes.
    func isDue(now: ContinuousClock.Instant, isQuiet: Bool, byteCount: Int) -> Bool {
        byteCount >= byteLimit || lastStart.duration(to: now) >= (isQuiet ? quietInterval : interval)
    }

    /// Whether so much waits that reading must not go on before it is committed.
    func isFull(byteCount: Int) -> Bool { byteCount >= byteLimit }

    /// Takes note of a commit's start.
    mutating func start(now: ContinuousClock.Instant) { lastStart = now }
}
