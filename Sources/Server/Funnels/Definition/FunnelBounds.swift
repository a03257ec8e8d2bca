/// How much of the installs' evidence is held, and for how long.
public struct FunnelBounds: Sendable, Hashable {
    /// How far behind its partition's watermark an event may be and still count, in milliseconds.
    ///
    /// It must be the one by which events were judged, see ``PartitionIntake``. `Int64.max` is no bound.
    public var allowedLateness: Int64
    /// The bytes of memory that installs' rows may take between commits; 0 or more.
    ///
    /// It decides how often a row is read again, never what is counted. What one interval touches comes on top.
    public var cacheBytes: Int
    /// The most events of one install that are counted within ``evidenceDays(of:)`` days; see
    /// ``standardEvidenceLimit``.
    public var evidenceLimit: Int

    /// 100,000 events: far more than a person makes, and 3 MB.
    ///
    /// An install with more distinct matching events, none of them late, on ``evidenceDays(of:)`` consecutive UTC days
    /// is capped: it leaves all funnels, for all days and for good. That is a property of its events as a set, so
    /// neither the order of arrival nor restarts decide it. Repeats of a capped install's events are not told from
    /// new ones: they are no longer counted as duplicates.
    public static let standardEvidenceLimit = 100_000

    /// Creates bounds; without arguments there are none but ``standardEvidenceLimit``.
    public init(
        allowedLateness: Int64 = .max,
        cacheBytes: Int = .max,
        evidenceLimit: Int = standardEvidenceLimit
    ) {
        self.allowedLateness = allowedLateness
        self.cacheBytes = cacheBytes
        self.evidenceLimit = evidenceLimit
    }

    /// The days over which an install's events are counted against ``evidenceLimit``: the lateness and the longest
    /// window in whole UTC days, begun ones included. It is about as long as evidence is kept.
    public func evidenceDays(of funnels: [Funnel]) -> Int {
        let window = funnels.map(\.window).max() ?? 0
        let (span, overflow) = allowedLateness.addingReportingOverflow(window)
        // More days than RFC 3339 has years for.
        guard !overflow, span / 86_400_000 < 4_000_000 else { return 4_000_000 }
        return Int(span / 86_400_000) + 2
    }
}
