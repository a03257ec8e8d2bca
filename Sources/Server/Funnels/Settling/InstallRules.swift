/// The funnels and bounds by which installs are settled.
struct InstallRules {
    let funnels: [Funnel]
    /// The funnels' windows, in milliseconds.
    let windows: [Int64]
    let longestWindow: Int64
    let evidenceLimit: Int
    let evidenceByteLimit: Int
    let spanDays: Int
    let shape: HistoryShape

    init(funnels: [Funnel], bounds: FunnelBounds) {
        self.funnels = funnels
        windows = funnels.map(\.windowMilliseconds)
        longestWindow = windows.max() ?? 0
        evidenceLimit = bounds.evidenceLimit
        evidenceByteLimit = bounds.evidenceByteLimit
        spanDays = bounds.evidenceDays(of: funnels)
        shape = bounds.shape
    }
}
