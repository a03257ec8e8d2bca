/// One actor's best attempt of one day, as the summary counts it.
///
/// Over a range of days an actor counts by its earliest attempt of the greatest depth. Each day's best attempt knows
/// the days between which it is that one, so that the counts of any range are sums over records:
/// it counts for the days `a...b` exactly when `previous < a`, `a <= day`, `day <= b` and `b < next`.
struct SummaryRecord: Sendable, Hashable {
    /// Days back to the actor's last earlier day with an attempt at least as deep; 0 where there is none.
    var previousGap: UInt32
    /// Days on to the actor's first later day with a deeper attempt; 0 where there is none.
    var nextGap: UInt32
    /// The steps met; 1 or more.
    var depth: Int
    /// The milliseconds from each step to the next that was met: `depth - 1` numbers.
    var times: [Int64]
    /// How many such attempts are added, or taken away where negative.
    var count: Int64
}
