/// The figures of one step.
public struct StepResult: Sendable, Hashable {
    /// The step's name.
    public var name: String
    /// The number of distinct actors that reached the step.
    public var count: Int
    /// ``count`` divided by the count of the first step; `nil` where that is 0.
    public var conversionFromFirst: Ratio?
    /// ``count`` divided by the count of the previous step, for the first step by its own count; `nil` where that is 0.
    public var conversionFromPrevious: Ratio?
    /// The 95 % interval of ``conversionFromFirst``; `nil` for the first step and with fewer than
    /// ``ScoreInterval/leastCount`` actors.
    public var conversionFromFirstInterval: ScoreInterval?
    /// The 95 % interval of ``conversionFromPrevious``; `nil` for the first step and with fewer than
    /// ``ScoreInterval/leastCount`` actors.
    public var conversionFromPreviousInterval: ScoreInterval?
    /// The median time from the first step in milliseconds; `nil` for the first step and where no actor reached the
    /// step.
    public var medianFromFirst: Int64?
    /// The median time from the previous step in milliseconds; `nil` for the first step and where no actor reached the
    /// step.
    public var medianFromPrevious: Int64?
    /// The number of actors whose attempt reached this step and no further, because an exclusion ended it; `nil` for the
    /// last step and where the funnel has no exclusions.
    public var excluded: Int?
    /// Whether the step is optional. Then ``conversionFromPrevious`` and ``medianFromPrevious`` are from the required step
    /// before it.
    public var isOptional = false
    /// How many went on from an optional step and around it; `nil` for a required step.
    public var nextStep: NextStepResult?
    /// Where the actors went whose attempt met this step last; `nil` for an optional step, for the last step, and where the
    /// funnel does not ask.
    public var next: NextPlaces?
    /// The sums of the step; `nil` where it has none.
    public var sums: StepSums?
    /// The distribution of the times; `nil` for the first step and where the report was not asked for it.
    public var times: StepTimes?

    /// Creates a step with a count. The other figures are set afterward.
    public init(name: String, count: Int) {
        self.name = name
        self.count = count
    }

    /// Creates the figures of a step from the counts of all steps of its funnel.
    ///
    /// - Parameters:
    ///   - name: the name of the step.
    ///   - index: the index of the step.
    ///   - counts: the number of actors that reached each step.
    ///   - previous: the index of the required step before it; `nil` where that is the step before it.
    package init(name: String, index: Int, counts: [Int], previous: Int? = nil) {
        self.init(name: name, count: counts[index])
        let (first, previous) = (counts[0], counts[previous ?? max(0, index - 1)])
        conversionFromFirst = Ratio(count, of: first)
        conversionFromPrevious = Ratio(count, of: previous)
        guard index > 0 else { return }
        conversionFromFirstInterval = ScoreInterval(count, of: first)
        conversionFromPreviousInterval = ScoreInterval(count, of: previous)
    }
}

/// The sums of a field over the events that met a step.
public struct StepSums: Sendable, Hashable {
    /// The sum of one unit.
    public struct Unit: Sendable, Hashable {
        /// The unit as text; `(none)` where the event had none.
        public var unit: String
        /// The sum, in the last of the decimals: 123450 with two decimals is 1234.50.
        public var sum: Int64
        /// The number of actors whose events were added up.
        public var count: Int
        /// The sum for each actor of the first step; `nil` where there is none.
        public var perActor: ActorMean?

        /// Creates a sum from its parts.
        public init(unit: String, sum: Int64, count: Int, perActor: ActorMean? = nil) {
            self.unit = unit
            self.sum = sum
            self.count = count
            self.perActor = perActor
        }
    }

    /// The number of decimals of the sums.
    public var decimals: Int
    /// The number of actors whose events had no number to add.
    public var without: Int
    /// The sums, in the order of the units' UTF-8 bytes.
    public var units: [Unit]

    /// Creates sums from their parts.
    public init(decimals: Int, without: Int, units: [Unit]) {
        self.decimals = decimals
        self.without = without
        self.units = units
    }
}

/// How many actors began 1, 2, 3, 4, or 5 and more attempts until they had met all steps.
public struct EntryCounts: Sendable, Hashable {
    /// The captions of ``counts``.
    public static let captions = ["1", "2", "3", "4", "5+"]

    /// The number of actors for each of ``captions``.
    public var counts: [Int]

    /// Creates counts from their parts.
    public init(counts: [Int]) {
        self.counts = counts
    }
}
