/// The funnels and bounds by which installs are counted.
struct CountingRules {
    let funnels: [Funnel]
    /// Finds what events mean to the funnels.
    let matcher: FunnelMatcher
    /// What the kernel needs of each funnel.
    let kernel: [FunnelRules]
    let longestWindow: Int64
    /// Whether a funnel counts first entries only.
    let hasFirstEntries: Bool
    /// The funnels' days.
    let days: [FunnelDays]
    let spanDays: Int
    let bounds: FunnelBounds

    init(funnels: [Funnel], bounds: FunnelBounds, timeZones: TimeZoneTables = TimeZoneTables()) {
        self.funnels = funnels
        matcher = FunnelMatcher(funnels: funnels)
        kernel = funnels.map(FunnelRules.init)
        longestWindow = funnels.map(\.windowMilliseconds).max() ?? 0
        hasFirstEntries = funnels.contains { $0.entry == .first }
        days = funnels.map { FunnelDays(timeZones.table(of: $0)) }
        spanDays = bounds.evidenceDays(of: funnels)
        self.bounds = bounds
    }

    // The window's reach: what an event can change, and what can still change it.

    /// The days whose outcomes events between two times can change.
    ///
    /// An attempt that such an event belongs to began at most one window before the first time, so the outcomes of earlier
    /// days do not change, and no attempt that begins after the last time does. The work grows with the evidence since then,
    /// not with all evidence of the install. Where only an actor's first event begins an attempt, an earlier event takes its
    /// attempt from any later day.
    func days(changedBy times: ClosedRange<Int64>, funnel: Int) -> ClosedRange<Day> {
        let first = firstDay(changedFrom: times.lowerBound, funnel: funnel)
        return first...(kernel[funnel].isFirstOnly ? Self.lastDay : days[funnel].lastDay(through: times.upperBound))
    }

    /// The first day whose outcomes an event of a time or of a later one can change.
    func firstDay(changedFrom time: Int64, funnel: Int) -> Day {
        days[funnel].firstDay(from: time - kernel[funnel].window)
    }

    /// The times of the events that outcomes of some days consist of.
    func times(of days: ClosedRange<Day>, funnel: Int) -> ClosedRange<Int64> {
        let start = self.days[funnel].start(of: days.lowerBound)
        return start...max(start, self.days[funnel].end(of: days.upperBound) + kernel[funnel].window)
    }

    /// The first moment of the days that events of a horizon or later can change. Earlier evidence of a funnel has had its
    /// effect.
    func start(ofDaysChangedFrom horizon: Int64, funnel: Int) -> Int64 {
        days[funnel].start(of: firstDay(changedFrom: horizon, funnel: funnel))
    }

    /// The earliest time of an event that an attempt can have which an event of a time can belong to.
    func earliestEntry(reaching time: Int64) -> Int64 { time - longestWindow }

    static let lastDay = Day(number: InstallState.days.upperBound)
}
