/// The comparison of the variants of an ``Experiment`` with its control, over settled days.
public struct ExperimentResult: Sendable, Hashable {
    /// The first day, inclusive; `nil` where no day is settled.
    public var from: Day?
    /// The last day, inclusive; `nil` where no day is settled.
    public var to: Day?
    /// The variant with which the others are compared.
    public var control: String
    /// The actors of all variants less the actors of the whole: an actor under two variants counts in both.
    public var crossed: Int
    /// Whether the actors are shared as was meant; `nil` where fewer than two variants have a share, or none has actors.
    public var sampleRatio: SampleRatio?
    /// The variants: the control first, the others in the order of their UTF-8 bytes.
    public var variants: [Variant]
}

extension ExperimentResult {
    /// A test of the shares of the variants.
    public struct SampleRatio: Sendable, Hashable {
        /// The probability of shares at least this far from those that were meant, by Pearson's chi-square test.
        public var p: Double
        /// The variants with a share, in the order of the definition, else of their UTF-8 bytes: the actors that they have
        /// and the weight that was meant.
        public var groups: [Group]

        /// The actors of one variant.
        public struct Group: Sendable, Hashable {
            /// The variant.
            public var value: String
            /// The number of actors.
            public var count: Int
            /// The share that was meant, in proportion to the others.
            public var weight: Double
        }

        /// Whether the shares are so unlikely that the assignment of variants must be broken: ``p`` is below 0.001.
        public var isMismatch: Bool { p < 0.001 }
    }

    /// The figures of one variant.
    public struct Variant: Sendable, Hashable {
        /// The value of the breakdown.
        public var value: String
        /// The figures of each step.
        public var steps: [Step]
        /// The sums, by step and unit.
        public var sums: [Sum]
    }

    /// The figures of one step of a variant.
    public struct Step: Sendable, Hashable {
        /// The step's name.
        public var name: String
        /// The number of actors that reached the step.
        public var count: Int
        /// ``count`` divided by the count of the first step; `nil` where that is 0.
        public var conversionFromFirst: Ratio?
        /// The comparison with the control; `nil` for the control itself and for the first step.
        public var lift: Lift?
    }

    /// How much better a variant converts than the control.
    public struct Lift: Sendable, Hashable {
        /// The conversion less that of the control; `nil` where one of them has no actors.
        public var difference: Ratio?
        /// Newcombe's 95 % interval of ``difference``, which holds for one look; `nil` below ``ScoreInterval/leastCount``
        /// actors, as all intervals here.
        public var differenceInterval: ScoreInterval?
        /// The conversion divided by that of the control, less 1; `nil` where the control's is 0.
        public var relative: Ratio?
        /// The 95 % interval of ``relative``, that of the logarithm of the quotient; `nil` also where a conversion is 0.
        public var relativeInterval: ScoreInterval?
        /// The two-sided p-value of the pooled score test.
        public var p: Double?
        /// The 95 % interval of ``difference`` that holds at every look, so that looking each day is allowed. Where actors are
        /// few, a bound can lie beyond −1 or 1.
        public var sequentialInterval: ScoreInterval?
    }

    /// The sum of one unit for each actor of a variant.
    public struct Sum: Sendable, Hashable {
        /// The name of the step with the sum.
        public var step: String
        /// The unit as text.
        public var unit: String
        /// The sum divided by the actors of the first step, in units; `nil` where there are none.
        public var perActor: Double?
        /// ``perActor`` less that of the control; `nil` for the control itself.
        public var difference: Double?
        /// Welch's 95 % interval of ``difference``; `nil` below ``ScoreInterval/leastCount`` actors in either.
        public var differenceInterval: ClosedRange<Double>?
    }
}
