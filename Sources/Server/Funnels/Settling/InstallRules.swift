/// The funnels and bounds by which installs are settled.
struct InstallRules {
    let funnels: [Funnel]
    /// What settling needs of each funnel.
    let plans: [FunnelRules]
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

    /// What settling needs of a funnel: unlike the funnel itself, copying it counts no references.
    struct FunnelRules {
        let stepCount: Int
        /// In milliseconds.
        let window: Int64
        let isFirstOnly: Bool
        let hasExclusions: Bool
        let hasSums: Bool
        let actors: Actors

        /// What the funnel counts.
        enum Actors {
            case installs, sessions, values

            fileprivate init(_ counting: Counting) {
                switch counting {
                case .installs: self = .installs
                case .sessions: self = .sessions
                case .by: self = .values
                }
            }
        }
    }

    init(funnels: [Funnel], bounds: FunnelBounds, timeZones: TimeZoneTables = TimeZoneTables()) {
        self.funnels = funnels
        let layout = SignatureLayout(funnels)
        self.layout = layout
        plans = funnels.enumerated().map { index, funnel in
            FunnelRules(
                stepCount: funnel.steps.count,
                window: funnel.windowMilliseconds,
                isFirstOnly: funnel.entry == .first,
                hasExclusions: layout.hasExclusions[index],
                hasSums: !layout.sums[index].isEmpty,
                actors: FunnelRules.Actors(funnel.count)
            )
        }
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
