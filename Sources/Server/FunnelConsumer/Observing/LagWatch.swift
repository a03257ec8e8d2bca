/// Says how a consumer that is behind comes along: its lag and its pace, every ten seconds.
struct LagWatch {
    /// What is to be said.
    struct Report: Equatable {
        /// The records that are not read yet.
        var lag: Int64
        /// The records read in a second, since the last time.
        var recordsPerSecond: Int64
    }

    private let interval: Duration = .seconds(10)
    private var start: ContinuousClock.Instant
    private var recordCount: Int64 = 0

    init(now: ContinuousClock.Instant) {
        start = now
    }

    /// Takes note of records that were read.
    mutating func add(_ count: Int) { recordCount += Int64(count) }

    /// What is to be said now; `nil` where the time has not come, or less waits than is read in a second.
    mutating func report(now: ContinuousClock.Instant, lag: Int64) -> Report? {
        let elapsed = start.duration(to: now)
        guard elapsed >= interval else { return nil }
        let report = Report(lag: lag, recordsPerSecond: Int64(Double(recordCount) / (elapsed / .seconds(1))))
        (start, recordCount) = (now, 0)
        return lag > report.recordsPerSecond ? report : nil
    }
}
