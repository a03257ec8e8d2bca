import FlowEvents
import FunnelStore
import Funnels
import Logging

extension ConsumerLoop {
    /// Warns where this machine's time zone database gives other days to events than the transitions that the store
    /// keeps, by which the funnels are counted.
    func warnOfOtherTimeZones(_ funnels: [Funnel], _ progress: [PartitionProgress]) throws {
        let times = progress.compactMap(\.watermark)
        guard let first = times.min(), let last = times.max() else { return }
        let lateness = options.bounds.allowedLateness
        let (start, overflow) = first.milliseconds.subtractingReportingOverflow(lateness)
        let earliest = overflow ? .min : start
        let stored = try store.timeZones(of: funnels)
        for name in TimeZoneTables.names(of: funnels) {
            guard let kept = stored[name], let own = TimeZoneTable(named: name),
                let moment = kept.firstDifference(from: own, in: earliest...last.milliseconds)
            else { continue }
            logger.warning(
                "this machine's time zone database differs from the one that the store was counted with; the store's is used",
                metadata: ["timezone": "\(name)", "from": "\(moment)"]
            )
        }
    }
}
