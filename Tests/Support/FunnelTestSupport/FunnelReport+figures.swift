import Funnels

extension FunnelReport {
    /// Makes a report without the settled and final days, which the brute force does not know: they depend on how far the topic
    /// is read.
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
