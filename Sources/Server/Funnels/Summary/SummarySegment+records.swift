extension SummarySegment {
    /// Encodes anew a segment of a store of before version 5.
    ///
    /// They were records grouped by the days between which they count and by depth: varints
    /// `previousGap nextGap depth byteCount`, then per record the signed count and, for depth 2 and more, the times, the
    /// first as its difference from the record before.
    ///
    /// - Throws: ``DamagedSegment`` where it was not written so.
    public static func converted(fromRecords segment: [UInt8]) throws(DamagedSegment) -> [UInt8] {
        // Typed throws do not pass through withUnsafeBytes' rethrows.
        let result = segment.withUnsafeBytes { bytes in
            Result { () throws(DamagedBytes) in try records(in: bytes) }
        }
        do throws(DamagedBytes) {
            return encoded(try result.get())
        } catch {
            throw DamagedSegment()
        }
    }

    private static func records(in segment: UnsafeRawBufferPointer) throws(DamagedBytes) -> [SummaryRecord] {
        var records: [SummaryRecord] = []
        var reader = ByteReader(segment)
        while !reader.isAtEnd {
            let previousGap = UInt32(try reader.index(below: 1 << 32))
            let nextGap = UInt32(try reader.index(below: 1 << 32))
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
                records.append(
                    SummaryRecord(
                        previousGap: previousGap,
                        nextGap: nextGap,
                        depth: depth,
                        times: times,
                        count: count
                    )
                )
            }
        }
        return records
    }
}
