import Funnels

extension FunnelReport {
    /// Makes a report without what depends on how far the topic is read: which days are settled and final. The brute force does
    /// not know these.
    package static func figures(
        from source: some SummarySource,
        funnels: [Funnel],
        from first: Day? = nil,
        to last: Day? = nil,
        limits: BreakdownLimits = BreakdownLimits()
    ) throws -> FunnelReport {
        var request = ReportRequest(days: .between(first, last))
        request.limits = limits
        var report = try make(from: source, funnels: funnels, request)
        for index in report.funnels.indices { report.funnels[index].states = DayStates() }
        return report
    }
}
