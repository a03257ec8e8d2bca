/// A report: the counts of funnels over a range of days, and the quality of the data.
public struct FunnelReport: Sendable, Hashable {
    /// The reported funnels: in the order of ``ReportRequest/funnels``, or of the funnels file if that is `nil`.
    public var funnels: [FunnelResult]
    /// The quality of all data in the store, independent of the reported funnels and days.
    public var quality: Quality
    /// The partitions that the store has not read within ``UnreadPartition/freshnessLimit``: the figures lack their events.
    public var unreadPartitions: [UnreadPartition] = []

    /// Creates a report from its parts.
    public init(funnels: [FunnelResult], quality: Quality) {
        self.funnels = funnels
        self.quality = quality
    }
}

/// The counts of one funnel over a range of days.
public struct FunnelResult: Sendable, Hashable {
    /// The funnel.
    public var funnel: Funnel
    /// The time zone whose days these are; `nil` for UTC.
    public var timeZone: String?
    /// The first entry day, inclusive; `nil` for no bound.
    public var from: Day?
    /// The last entry day, inclusive; `nil` for no bound.
    public var to: Day?
    /// Whether no day is reported, because none that was asked for has entries or is settled. Then all counts are 0.
    public var hasNoDays = false
    /// Which days are settled and which are final.
    public var states: DayStates
    /// The figures of each step over all actors.
    public var steps: [StepResult]
    /// The figures by breakdown value, in the order of the values, without values that no actor entered
    /// with and without those that ``valuesLeftOut`` counts; `nil` where the funnel has no breakdown.
    public var breakdown: [BreakdownResult]?
    /// How many breakdown values are left out of ``breakdown``, which has at most 1,000: those with the most actors at
    /// step 1, of equal ones the first by their UTF-8 bytes. An actor counts under each of its values, so the values
    /// that are left out are not added up.
    public var valuesLeftOut: Int
    /// The first day for which the funnel has all events, where it was rebuilt from a topic whose first records had
    /// been deleted: the figures of earlier days are too low. `nil` where the funnel has all events of all days.
    public var completeFrom: Day?
    /// The first day that was read, for a funnel that counts only first entries from a topic that had lost its
    /// beginning; `nil` for other funnels.
    public var firstKnownFrom: Day?
    /// How often actors began attempts until they had met all steps; `nil` where the report was not asked for it.
    public var entries: EntryCounts?
    /// The figures of each bucket of days; `nil` where the report was not asked for it.
    public var trend: [TrendBucket]?
    /// The figures of the same number of days before; `nil` where the report was not asked for it, and where no day is
    /// reported.
    public var comparison: FunnelComparison?
    /// The comparison of the variants on the settled days; `nil` where the funnel has no experiment.
    public var experiment: ExperimentResult?

    /// Creates a result from its parts. The figures that a plain report does not have are set afterward.
    public init(
        funnel: Funnel,
        from: Day?,
        to: Day?,
        states: DayStates = DayStates(),
        steps: [StepResult],
        breakdown: [BreakdownResult]?,
        valuesLeftOut: Int = 0,
        completeFrom: Day? = nil
    ) {
        self.funnel = funnel
        self.from = from
        self.to = to
        self.states = states
        self.steps = steps
        self.breakdown = breakdown
        self.valuesLeftOut = valuesLeftOut
        self.completeFrom = completeFrom
    }
}

/// The figures of the actors whose attempts have one breakdown value.
public struct BreakdownResult: Sendable, Hashable {
    /// The value as text; a list where the breakdown is one. See ``Breakdown``.
    public var value: BreakdownValue
    /// The figures of each step over these actors.
    public var steps: [StepResult]

    /// Creates a result from its parts.
    public init(value: BreakdownValue, steps: [StepResult]) {
        self.value = value
        self.steps = steps
    }
}

/// Counts of the records in a store. Each record counts once, however often the consumer restarts.
public struct Quality: Sendable, Hashable {
    /// The valid records, with late and repeated ones.
    public var events: Int64
    /// The repeats of events that match a step or an exclusion and are not late.
    public var duplicates: Int64
    /// The events older than the allowed lateness, which take part in no funnel.
    public var late: Int64
    /// The records sent to the dead-letter topic.
    public var deadLetters: Int64
    /// The events that arrived and that are missing, according to their sequence numbers.
    public var completeness: Completeness
    /// The offsets whose records the broker deleted before they were read, or that cannot be read. Events among them also
    /// count as missing where their installs sent others before and after them.
    public var unread: Int64
    /// The installs that left the funnels because they had too many events: more than 100,000 matching events within
    /// the days that the lateness and the longest window span.
    public var capped: Int64
    /// The offsets without a record in a topic that Kafka compacts: records that were deleted before they were read, because
    /// a newer one had their key, or markers and aborted records of transactions, which a consumer cannot tell from them.
    /// 0 in other topics, where all such offsets are of transactions.
    public var compacted: Int64
    /// The installs that were erased because a person asked for it: they are in no funnel, on no day.
    public var erasedInstalls: Int64

    /// Creates counts, which are 0 by default.
    public init(
        events: Int64 = 0,
        duplicates: Int64 = 0,
        late: Int64 = 0,
        deadLetters: Int64 = 0,
        completeness: Completeness = Completeness(),
        unread: Int64 = 0,
        capped: Int64 = 0,
        compacted: Int64 = 0,
        erasedInstalls: Int64 = 0
    ) {
        self.events = events
        self.duplicates = duplicates
        self.late = late
        self.deadLetters = deadLetters
        self.completeness = completeness
        self.unread = unread
        self.capped = capped
        self.compacted = compacted
        self.erasedInstalls = erasedInstalls
    }

    /// Adds each count of the right side to the same count of the left side.
    public static func + (lhs: Quality, rhs: Quality) -> Quality {
        Quality(
            events: lhs.events + rhs.events,
            duplicates: lhs.duplicates + rhs.duplicates,
            late: lhs.late + rhs.late,
            deadLetters: lhs.deadLetters + rhs.deadLetters,
            completeness: lhs.completeness + rhs.completeness,
            unread: lhs.unread + rhs.unread,
            capped: lhs.capped + rhs.capped,
            compacted: lhs.compacted + rhs.compacted,
            erasedInstalls: lhs.erasedInstalls + rhs.erasedInstalls
        )
    }

    /// Adds each count of the right side to the same count of the left side, in place.
    public static func += (lhs: inout Quality, rhs: Quality) {
        lhs = lhs + rhs
    }
}
