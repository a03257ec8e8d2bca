/// How many of some actors went on.
public struct Conversion: Sendable, Hashable {
    /// The number of actors that went on.
    public var count: Int
    /// The number of actors.
    public var of: Int

    /// Creates a conversion from its counts.
    public init(count: Int, of: Int) {
        self.count = count
        self.of = of
    }

    /// The share of the actors that went on; `nil` where there are none.
    public var conversion: Ratio? { Ratio(count, of: of) }
    /// The 95 % interval of ``conversion``; `nil` with fewer than ``ScoreInterval/leastCount`` actors.
    public var interval: ScoreInterval? { ScoreInterval(count, of: of) }
}

/// Whether an optional step goes with going on: how many met the required step behind it, of those that met the optional step
/// and of those that passed it over.
///
/// It compares actors that chose for themselves. So it shows no cause.
public struct NextStepResult: Sendable, Hashable {
    /// The actors that met the optional step.
    public var with: Conversion
    /// The actors that met the required step before it, but not it.
    public var without: Conversion

    /// Creates figures from their parts.
    public init(with: Conversion, without: Conversion) {
        self.with = with
        self.without = without
    }

    /// The 95 % interval of the conversion with the step less that without it; `nil` below ``ScoreInterval/leastCount``
    /// actors in either.
    public var differenceInterval: ScoreInterval? {
        ScoreInterval(with.count, of: with.of, minus: without.count, of: without.of)
    }
}

/// Where actors went whose attempt met a step last.
public struct NextPlaces: Sendable, Hashable {
    /// A place and how many went there.
    public struct Place: Sendable, Hashable {
        /// The value of the field as text; ``NextEvent/nothing`` where there was no event.
        public var value: String
        /// The number of actors.
        public var count: Int

        package init(value: String, count: Int) {
            self.value = value
            self.count = count
        }
    }

    /// The places with the most actors first, of equal ones the first by their UTF-8 bytes; at most ``maximumCount``.
    public var places: [Place]
    /// How many places are left out.
    public var leftOutCount: Int

    /// The greatest number of places.
    public static let maximumCount = 1000

    /// Creates places from their parts.
    public init(places: [Place], leftOutCount: Int = 0) {
        self.places = places
        self.leftOutCount = leftOutCount
    }
}

/// A mean over the actors of the first step.
public struct ActorMean: Sendable, Hashable {
    /// The mean, in units: euros, not cents.
    public var mean: Double
    /// The lower and upper bound of the 95 % interval, in units; `nil` with fewer than ``ScoreInterval/leastCount`` actors.
    public var interval: ClosedRange<Double>?

    /// Creates a mean from its parts.
    public init(mean: Double, interval: ClosedRange<Double>?) {
        self.mean = mean
        self.interval = interval
    }
}
