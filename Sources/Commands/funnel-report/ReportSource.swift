import Funnels

/// Where the command gets its report from: a store, seen through what the command needs of it.
struct ReportSource {
    /// The funnels that the store counts, in the order of the funnels file.
    let funnels: [Funnel]
    /// The report on the named funnels, in the order of the names, over the days from `from` to `to`, both included.
    let report: (_ names: [String], _ from: Day?, _ to: Day?) throws -> FunnelReport
}
