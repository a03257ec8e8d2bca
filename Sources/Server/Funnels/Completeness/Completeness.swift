/// How much of what installs have sent has arrived, told by the numbers of their events.
///
/// An install numbers its events without gaps, so it is expected from the lowest `sequence` that was seen on to the
/// highest: a number between that nobody has brought is an event that never arrived. Late and repeated events bring
/// their number; an event without one is not expected, and a dead letter is missing until it is mended and sent again.
///
/// Sums over installs, and differences of them: every count may be negative where a value says what changes.
public struct Completeness: Sendable, Hashable {
    /// The events between the lowest and the highest number of each install, both included.
    public var expected: Int64
    /// Those of ``expected`` that have not arrived.
    public var missing: Int64
    /// Those of ``missing`` that the app itself says it has dropped.
    public var dropped: DropCounts
    /// The installs left out of all this, because their numbers cannot be kept: they lie more than 2³² apart, or had
    /// more than 100,000 gaps at once.
    public var unchecked: Int64

    /// Creates the counts; all 0 unless given.
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

    /// The events that have arrived, each once.
    public var received: Int64 { expected - missing }

    /// The sum of both, count by count.
    public static func + (lhs: Completeness, rhs: Completeness) -> Completeness {
        Completeness(
            expected: lhs.expected + rhs.expected,
            missing: lhs.missing + rhs.missing,
            dropped: lhs.dropped + rhs.dropped,
            unchecked: lhs.unchecked + rhs.unchecked
        )
    }

    /// What leads from the right side to the left, count by count.
    public static func - (lhs: Completeness, rhs: Completeness) -> Completeness {
        Completeness(
            expected: lhs.expected - rhs.expected,
            missing: lhs.missing - rhs.missing,
            dropped: lhs.dropped - rhs.dropped,
            unchecked: lhs.unchecked - rhs.unchecked
        )
    }

    /// Adds the right side to the left, count by count.
    public static func += (lhs: inout Completeness, rhs: Completeness) {
        lhs = lhs + rhs
    }
}
