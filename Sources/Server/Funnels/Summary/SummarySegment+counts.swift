extension SummarySegment {
    /// Calls `body` with each number of attempts in an encoded segment that is not 0.
    ///
    /// - Parameters:
    ///   - segment: the encoded segment.
    ///   - body: is called with the days back to the actors' last earlier day with an attempt of at least the same rank (0
    ///     where there is none), the days on to their first later day with an attempt of a greater rank (0 where there is
    ///     none), the number of required steps met, and the number of attempts.
    /// - Throws: ``DamagedSegment`` where the segment cannot be read, and what `body` throws.
    package static func forEachCount(
        in segment: [UInt8],
        _ body: (_ previousGap: UInt32, _ nextGap: UInt32, _ rank: Int, _ count: Int64) throws -> Void
    ) throws {
        var groups: [(gaps: DayGaps, counts: [Int64])] = []
        // Typed throws do not pass through withUnsafeBytes' rethrows.
        let result = segment.withUnsafeBytes { bytes in
            Result { () throws(DamagedSegment) in
                try forEachGroup(in: bytes, where: { _ in true }) { (gaps, group) throws(DamagedBytes) in
                    var reader = ByteReader(group)
                    var counts = [Int64](repeating: 0, count: Funnel.maximumStepCount)
                    try OutcomeCounts.read(from: &reader) { outcome, count in counts[outcome.rank - 1] &+= count }
                    groups.append((gaps, counts))
                }
            }
        }
        try result.get()
        for (gaps, counts) in groups {
            for (rank, count) in zip(1..., counts) where count != 0 { try body(gaps.previous, gaps.next, rank, count) }
        }
    }
}
