/// Decides when to return freed memory to the system: after the consumer has caught up with many records.
///
/// While it catches up, librdkafka holds several MiB of fetched records, and a commit some 150 MB. After 2 million events a
/// process that needs 200 MB kept several hundred of freed memory.
struct MemorySchedule {
    private var recordCount = 0
    private var last: ContinuousClock.Instant
    private static let recordLimit = 100_000
    private static let interval = Duration.seconds(10)

    init(now: ContinuousClock.Instant) {
        last = now
    }

    /// Whether to return freed memory now.
    ///
    /// - Parameters:
    ///   - pollCount: the number of records of the last poll.
    ///   - isFull: whether the poll had as many records as it may have. Then the consumer is behind.
    mutating func isDue(pollCount: Int, isFull: Bool, now: ContinuousClock.Instant) -> Bool {
        recordCount += pollCount
        guard recordCount >= Self.recordLimit, !isFull, last.duration(to: now) >= Self.interval
        else { return false }
        recordCount = 0
        last = now
        return true
    }
}
