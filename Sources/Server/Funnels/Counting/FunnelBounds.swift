/// The bounds on the evidence of installs: how much of it is kept, and for how long.
package struct FunnelBounds: Sendable, Hashable {
    /// How far behind its partition's watermark an event may be and still count, in milliseconds; `Int64.max` for no
    /// bound.
    ///
    /// It must be the same as that of ``PartitionIntake``, which judged the events.
    package var allowedLateness: Int64
    /// The memory that installs' rows may take between commits, in bytes; 0 or more.
    ///
    /// It affects how often a row is read again, never the counts. The rows of the current interval are not included.
    package var cacheBytes: Int
    /// The greatest number of events of one install within ``evidenceDays(of:)`` days; see ``standardEvidenceLimit``.
    package var evidenceLimit: Int
    /// The greatest number of bytes of text in these events; see ``standardEvidenceByteLimit``.
    package var evidenceByteLimit = standardEvidenceByteLimit
    /// The memory for the histories of the installs that are counted at once, in bytes. An install whose history takes more
    /// is counted alone.
    package static let historyBytesAtOnce = 64 << 20
    /// The number of events in a block of an install's history, 1 or more. A block has more where several events have the
    /// time of its last one. The other sizes of a history are in proportion to this number.
    ///
    /// It affects the cost of an event, never the counts: `funnel-bench path --events-per-block` compares.
    package var eventsPerBlock = 32

    /// The standard ``evidenceLimit``: 100,000 events, which take 3 MB and are far more than a person causes.
    ///
    /// An install with more distinct matching events that are not late on ``evidenceDays(of:)`` consecutive UTC days
    /// is capped: it leaves all funnels, for all days and permanently. This is a property of the set of its events, so
    /// it depends neither on the order of arrival nor on restarts. Repeats of a capped install's events are not
    /// detected and do not count as duplicates.
    package static let standardEvidenceLimit = 100_000

    /// The standard ``evidenceByteLimit``: 8 MiB.
    ///
    /// Each event counts its id where that is not a UUID, its source, its session, its breakdown values, the values that
    /// are counted, and the units of sums, although a row has equal texts only once. Together with
    /// ``standardEvidenceLimit`` it bounds a row of the store at 12 MB.
    package static let standardEvidenceByteLimit = 8 * 1024 * 1024

    /// Creates bounds. Without arguments, the standard limits are the only bounds.
    package init(
        allowedLateness: Int64 = .max,
        cacheBytes: Int = .max,
        evidenceLimit: Int = standardEvidenceLimit
    ) {
        self.allowedLateness = allowedLateness
        self.cacheBytes = cacheBytes
        self.evidenceLimit = evidenceLimit
    }

    /// The number of days over which an install's events are counted against ``evidenceLimit``: the UTC days that the
    /// lateness and the longest window can touch. Evidence is kept for about as long.
    package func evidenceDays(of funnels: [Funnel]) -> Int {
        let window = funnels.map(\.windowMilliseconds).max() ?? 0
        let (span, overflow) = allowedLateness.addingReportingOverflow(window)
        // The years of RFC 3339 have fewer days.
        guard !overflow, span / 86_400_000 < 4_000_000 else { return 4_000_000 }
        return Int(span / 86_400_000) + 2
    }
}
