/// How many of the events that installs sent have arrived, according to the sequence numbers of the events.
///
/// An install numbers its events without gaps. So each number between the lowest and the highest `sequence` received
/// from an install is expected, and a number that was not received is an event that never arrived. Late and repeated
/// events count as received. Events without a number are not expected. A dead letter is missing until it is repaired
/// and sent again.
///
/// The counts are sums over installs. In a difference of two sums, counts may be negative.
public struct Completeness: Sendable, Hashable {
    /// The numbers from the lowest to the highest number of each install, both included.
    public var expected: Int64
    /// The expected events that have not arrived.
    public var missing: Int64
    /// The missing events that the apps report to have dropped.
    public var dropped: DropCounts
    /// The installs that the other counts leave out because their numbers cannot be right: more than 1,000,000 numbers
    /// in a row are missing, the numbers are more than 2³² apart, or they have more than 100,000 gaps at the same time.
    ///
    /// An install with a gap of more than 1,000,000 numbers counts again when events have arrived that make the gap
    /// smaller. The other installs stay left out.
    public var unchecked: Int64

    /// Creates counts, which are 0 by default.
    public init(
        expected: Int64 = 0,
        missing: Int64 = 0,
        dropped: DropCounts = DropCounts(),
        unchecked: Int64 = 0
    ) {
        self.expected = expected
        self.missing = missing
        self.dropped = dropped
        self.unchecked = unchecked
    }

    /// The events that have arrived, each counted once.
    public var received: Int64 { expected - missing }

    /// Adds each count of the right side to the same count of the left side.
    public static func + (lhs: Completeness, rhs: Completeness) -> Completeness {
        Completeness(
            expected: lhs.expected + rhs.expected,
            missing: lhs.missing + rhs.missing,
            dropped: lhs.dropped + rhs.dropped,
            unchecked: lhs.unchecked + rhs.unchecked
        )
    }

    /// Subtracts each count of the right side from the same count of the left side.
    public static func - (lhs: Completeness, rhs: Completeness) -> Completeness {
        Completeness(
            expected: lhs.expected - rhs.expected,
            missing: lhs.missing - rhs.missing,
            dropped: lhs.dropped - rhs.dropped,
            unchecked: lhs.unchecked - rhs.unchecked
        )
    }

    /// Adds each count of the right side to the same count of the left side, in place.
    public static func += (lhs: inout Completeness, rhs: Completeness) {
        lhs = lhs + rhs
    }
}
