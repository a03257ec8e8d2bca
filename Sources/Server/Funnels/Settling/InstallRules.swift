/// The funnels and bounds by which installs are settled.
struct InstallRules {
    let funnels: [Funnel]
    let layout: SignatureLayout
    /// The funnels' windows, in milliseconds.
    let windows: [Int64]
    let longestWindow: Int64
    /// Whether a funnel counts first entries only.
    let hasFirstEntries: Bool
    /// The funnels' days.
    let days: [FunnelDays]
    let evidenceLimit: Int
    let evidenceByteLimit: Int
    let spanDays: Int
    let shape: HistoryShape

    init(funnels: [Funnel], bounds: FunnelBounds, timeZones: TimeZoneTables = TimeZoneTables()) {
        self.funnels = funnels
        layout = SignatureLayout(funnels)
        windows = funnels.map(\.windowMilliseconds)
        longestWindow = windows.max() ?? 0
        hasFirstEntries = funnels.contains { $0.entry == .first }
        days = funnels.map { FunnelDays(timeZones.table(of: $0)) }
        evidenceLimit = bounds.evidenceLimit
        evidenceByteLimit = bounds.evidenceByteLimit
        spanDays = bounds.evidenceDays(of: funnels)
        shape = bounds.shape
    }
}
