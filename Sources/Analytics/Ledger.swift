/// Counts what becomes of events, and passes on what is to be said about them.
final class Ledger: Sendable {
    private let onReport: @Sendable (TrackerReport) -> Void
    private let statistics = Locked(TrackerStatistics())

    init(onReport: @escaping @Sendable (TrackerReport) -> Void) {
        self.onReport = onReport
    }

    func delivered(_ count: Int) {
        statistics.withLock { $0.delivered += count }
    }

    func dropped(_ drop: Drop) {
        statistics.withLock { $0.dropped[drop.reason, default: 0] += drop.count }
        onReport(.dropped(drop))
    }

    func report(_ report: TrackerReport) {
        onReport(report)
    }

    /// The counts, with `tracked` still 0.
    var settled: TrackerStatistics { statistics.withLock { $0 } }
}
