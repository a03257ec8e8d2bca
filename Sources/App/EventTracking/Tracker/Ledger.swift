/// Counts what becomes of events, and passes on what is to be said about them.
package final class Ledger: Sendable {
    private let onReport: @Sendable (TrackerReport) -> Void
    private let statistics = Locked(TrackerStatistics())

    package init(onReport: @escaping @Sendable (TrackerReport) -> Void) {
        self.onReport = onReport
    }

    /// Events came to a queue that counts them when it has them.
    package func tracked(_ count: Int) {
        statistics.withLock { $0.tracked += count }
    }

    package func delivered(_ count: Int) {
        statistics.withLock { $0.delivered += count }
    }

    package func dropped(_ drop: Drop) {
        statistics.withLock { $0.dropped[drop.reason, default: 0] += drop.count }
        onReport(.dropped(drop))
    }

    package func report(_ report: TrackerReport) {
        onReport(report)
    }

    /// The counts, with what was told to ``tracked(_:)``.
    package var settled: TrackerStatistics { statistics.withLock { $0 } }
}
