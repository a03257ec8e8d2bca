extension SummarySegment {
    /// Converts a segment from the coding of stores before version 5.
    ///
    /// In that coding, records are grouped by the days between which they count and by depth. A group has the varints
    /// `previousGap nextGap depth byteCount`, then for each record the signed count and, for depth 2 and more, the
    /// times. The first time is encoded as the difference from the previous record.
    ///
    /// - Throws: ``DamagedSegment`` where the segment does not have that coding.
    public static func converted(fromRecords segment: [UInt8]) throws(DamagedSegment) -> [UInt8] {
        // Typed throws do not pass through withUnsafeBytes' rethrows.
        let result = segment.withUnsafeBytes { bytes in
            Result { () throws(DamagedBytes) in try groups(ofRecords: bytes) }
        }
        do throws(DamagedBytes) {
            return encoded(try result.get())
        } catch {
            throw DamagedSegment()
        }
    }

    private static func groups(
        ofRecords segment: UnsafeRawBufferPointer
    ) throws(DamagedBytes) -> [DayGaps: SummaryGroup] {
        var groups: [DayGaps: SummaryGroup] = [:]
        var reader = ByteReader(segment)
        while !reader.isAtEnd {
            let previous = UInt32(try reader.index(below: 1 << 32))
            let next = UInt32(try reader.index(below: 1 << 32))
            let gaps = DayGaps(previous: previous, next: next)
            let depth = try reader.index(below: Funnel.maximumStepCount + 1)
            guard depth > 0 else { throw DamagedBytes() }
            var entries = ByteReader(try reader.counted())
            var first: Int64 = 0
            while !entries.isAtEnd {
                let count = try entries.signed()
                var times: [Int64] = []
                if depth > 1 {
                    first &+= try entries.signed()
                    times.append(first)
                    for _ in 2..<depth { times.append(try entries.signed()) }
                    guard times.allSatisfy((0...Funnel.maximumWindow).contains) else { throw DamagedBytes() }
                }
                groups[gaps, default: SummaryGroup()].add(depth: depth, ending: 0, times: times, count: count)
            }
        }
        return groups
    }
}
