extension SummarySegment {
    /// Calls `body` with each number of attempts in an encoded segment that is not 0.
    ///
    /// - Parameters:
    ///   - segment: the encoded segment.
    ///   - body: is called with the days back to the actors' last earlier day with an attempt at least as deep (0 where
    ///     there is none), the days on to their first later day with a deeper attempt (0 where there is none), the number
    ///     of steps met, and the number of attempts.
    /// - Throws: ``DamagedSegment`` where the segment cannot be read, and what `body` throws.
    package static func forEachCount(
        in segment: [UInt8],
        _ body: (_ previousGap: UInt32, _ nextGap: UInt32, _ depth: Int, _ count: Int64) throws -> Void
    ) throws {
        var counts: [(gaps: DayGaps, depth: Int, count: Int64)] = []
        // Typed throws do not pass through withUnsafeBytes' rethrows.
        let result = segment.withUnsafeBytes { bytes in
            Result { () throws(DamagedSegment) in
                try forEachGroup(in: bytes, where: { _ in true }) { (gaps, group) throws(DamagedBytes) in
                    var reader = ByteReader(group)
                    for depth in 0..<(try reader.index(below: Funnel.maximumStepCount + 1)) {
                        let count = try reader.signed()
                        if count != 0 { counts.append((gaps, depth + 1, count)) }
                    }
                }
            }
        }
        try result.get()
        for (gaps, depth, count) in counts { try body(gaps.previous, gaps.next, depth, count) }
    }
}
