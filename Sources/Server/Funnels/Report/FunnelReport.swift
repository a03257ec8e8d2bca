/// What a report says: the funnels' counts over a range of days, and how good the data behind them is.
public struct FunnelReport: Sendable, Hashable {
    /// The funnels that were asked for, in the order of the funnels file.
    public var funnels: [FunnelResult]
    /// What the store has taken in, whatever funnels or days were asked for.
    public var quality: Quality

    /// Creates a report from its parts.
    public init(funnels: [FunnelResult], quality: Quality) {
        self.funnels = funnels
        self.quality = quality
    }
}

/// One funnel's counts over a range of days.
public struct FunnelResult: Sendable, Hashable {
    /// The funnel that was counted.
    public var funnel: Funnel
    /// The first entry day, included; `nil` is the beginning.
    public var from: Day?
    /// The last entry day, included; `nil` is the end.
    public var to: Day?
    /// The steps' figures over all actors.
    public var steps: [StepResult]
    /// The same by value of the funnel's breakdown, values in the order of their UTF-8 bytes, those with no actor at
    /// step 1 left out; `nil` where the funnel has no breakdown.
    public var breakdown: [BreakdownResult]?
    /// The first day for which the funnel has all events, where it was rebuilt from a topic that had lost its
    /// beginning: the figures of earlier days are too low. `nil` where it has every event.
    public var completeFrom: Day?

    /// Creates a result from its parts.
    public init(
        funnel: Funnel,
        from: Day?,
        to: Day?,
        steps: [StepResult],
        breakdown: [BreakdownResult]?,
        completeFrom: Day? = nil
    ) {
        self.funnel = funnel
        self.from = from
        self.to = to
        self.steps = steps
        self.breakdown = breakdown
        self.completeFrom = completeFrom
    }
}

/// The figures of the actors whose attempt began with one breakdown value.
public struct BreakdownResult: Sendable, Hashable {
    /// The value as text; `(none)` where the first event had none.
    public var value: String
    /// The steps' figures over those actors.
    public var steps: [StepResult]

    /// Creates a result from its parts.
    public init(value: String, steps: [StepResult]) {
        self.value = value
        self.steps = steps
    }
}

/// One step's figures.
public struct StepResult: Sendable, Hashable {
    /// The step's name.
    public var name: String
    /// The distinct actors that reached it.
    public var count: Int
    /// ``count`` over the first step's; `nil` where that is 0.
    public var conversionFromFirst: Ratio?
    /// ``count`` over the previous step's, for the first step over its own; `nil` where that is 0.
    public var conversionFromPrevious: Ratio?
    /// The median time from the first step, in milliseconds; `nil` for the first step and where nobody got here.
    public var medianFromFirst: Int64?
    /// The median time from the previous step, in milliseconds; `nil` for the first step and where nobody got here.
    public var medianFromPrevious: Int64?

    /// Creates a step's figures from its parts.
    public init(
        name: String,
        count: Int,
        conversionFromFirst: Ratio?,
        conversionFromPrevious: Ratio?,
        medianFromFirst: Int64?,
        medianFromPrevious: Int64?
    ) {
        self.name = name
        self.count = count
        self.conversionFromFirst = conversionFromFirst
        self.conversionFromPrevious = conversionFromPrevious
        self.medianFromFirst = medianFromFirst
        self.medianFromPrevious = medianFromPrevious
    }
}

/// What a store has taken in, each record once however often the consumer restarts.
public struct Quality: Sendable, Hashable {
    /// All valid records, late and repeated ones included.
    public var events: Int64
    /// Repeats, not late, of an event that belongs to at least one funnel.
    public var duplicates: Int64
    /// Events older than the allowed lateness; they take no part in any funnel.
    public var late: Int64
    /// Records sent to the dead-letter topic.
    public var deadLetters: Int64
    /// What the numbers of the events tell of events that never arrived.
    public var completeness: Completeness
    /// Offsets whose records the broker had deleted before they were read. Events among them are missing, too, where
    /// their installs have sent others around them.
    public var unread: Int64
    /// Installs that left the funnels because they had too many events: ``FunnelBounds/standardEvidenceLimit``.
    public var capped: Int64

    /// Creates the counts; all 0 unless given.
    public init(
        events: Int64 = 0,
        duplicates: Int64 = 0,
        late: Int64 = 0,
        deadLetters: Int64 = 0,
        completeness: Completeness = Completeness(),
        unread: Int64 = 0,
        capped: Int64 = 0
    ) {
        self.events = events
        self.duplicates = duplicates
        self.late = late
        self.deadLetters = deadLetters
        self.completeness = completeness
        self.unread = unread
        self.capped = capped
    }

    /// The sum of both, count by count.
    public static func + (lhs: Quality, rhs: Quality) -> Quality {
        Quality(
            events: lhs.events + rhs.events,
            duplicates: lhs.duplicates + rhs.duplicates,
            late: lhs.late + rhs.late,
            deadLetters: lhs.deadLetters + rhs.deadLetters,
            completeness: lhs.completeness + rhs.completeness,
            unread: lhs.unread + rhs.unread,
            capped: lhs.capped + rhs.capped
        )
    }

    /// Adds the right side to the left, count by count.
    public static func += (lhs: inout Quality, rhs: Quality) {
        lhs = lhs + rhs
    }
}
