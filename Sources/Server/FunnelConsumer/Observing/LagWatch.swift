/// Reports the lag and the pace of a consumer that is behind, every ten seconds.
struct LagWatch {
    /// A line of the log.
    struct Report: Equatable {
        /// The number of records that are not read yet.
        var lag: Int64
        /// The records read per second since the last report.
        var recordsPerSecond: Int64
    }

    private let interval: Duration = .seconds(10)
    private var start: ContinuousClock.Instant
    private var recordCount: Int64 = 0

    init(now: ContinuousClock.Instant) {
        start = now
    }

    /// Counts records that were read.
    mutating func add(_ count: Int) { recordCount += Int64(count) }

    /// Returns a report if the interval is over and the lag is more than the consumer reads in a second.
    mutating func report(now: ContinuousClock.Instant, lag: Int64) -> Report? {
        let elapsed = start.duration(to: now)
        guard elapsed >= interval else { return nil }
        let seconds: Double = elapsed / .seconds(1)
        let report = Report(lag: lag, recordsPerSecond: Int64(Double(recordCount) / seconds))
        (start, recordCount) = (now, 0)
        return lag > report.recordsPerSecond ? report : nil
    }
}
