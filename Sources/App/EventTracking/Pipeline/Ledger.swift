/// Counts tracked, delivered and dropped events, and passes on reports.
package final class Ledger: Sendable {
    private let onReport: @Sendable (TrackerReport) -> Void
    private let statistics = Locked(TrackerStatistics())

    package init(onReport: @escaping @Sendable (TrackerReport) -> Void) {
        self.onReport = onReport
    }

    /// Counts events that entered a queue on the device. A negative number removes events that another process sent.
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

    /// The counts. `tracked` includes only the events counted by ``tracked(_:)``.
    package var settled: TrackerStatistics { statistics.withLock { $0 } }
}
