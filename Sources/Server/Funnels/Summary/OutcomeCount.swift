/// The number of actors with one outcome whose attempts count between the same days. A store keeps each of these as a row.
///
/// The counts of a funnel over a range of days are sums of the rows that count in the range, see ``DayGaps``.
public struct OutcomeCount: Sendable, Hashable {
    /// The days between which the attempts count.
    package let gaps: DayGaps
    /// What became of the attempts.
    public let outcome: Outcome
    /// How many actors; negative where a change removes them.
    public let actors: Int64

    package init(gaps: DayGaps, outcome: Outcome, actors: Int64) {
        self.gaps = gaps
        self.outcome = outcome
        self.actors = actors
    }
}
