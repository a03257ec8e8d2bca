/// Equal attempts of one day, as stores before version 5 have them.
struct SummaryRecord: Sendable, Equatable {
    /// The days between which the attempts count.
    var gaps: DayGaps
    /// The number of steps met; 1 or more.
    var depth: Int
    /// The milliseconds from each step met to the next: `depth - 1` numbers.
    var times: [Int64]
    /// How many such attempts are added; negative where they are removed.
    var count: Int64
    /// As ``DayBest/ending``.
    var ending: UInt8 = 0
    /// What the attempts add to the sums of the steps that they met, in the order of the funnel's sums.
    var amounts: [SummaryAmount] = []
}

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
            Result { () throws(DamagedBytes) in try records(in: bytes) }
        }
        do throws(DamagedBytes) {
            return encoded(try result.get())
        } catch {
            throw DamagedSegment()
        }
    }

    /// Encodes records as a segment.
    static func encoded(_ records: [SummaryRecord]) -> [UInt8] {
        var groups: [DayGaps: SummaryGroup] = [:]
        for record in records { groups[record.gaps, default: SummaryGroup()].add(record) }
        return encoded(groups)
    }

    private static func records(in segment: UnsafeRawBufferPointer) throws(DamagedBytes) -> [SummaryRecord] {
        var records: [SummaryRecord] = []
        var reader = ByteReader(segment)
        while !reader.isAtEnd {
            let previous = UInt32(try reader.index(below: 1 << 32))
            let next = UInt32(try reader.index(below: 1 << 32))
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
                        gaps: DayGaps(previous: previous, next: next),
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

extension SummaryGroup {
    fileprivate mutating func add(_ record: SummaryRecord) {
        add(depth: record.depth, ending: record.ending, times: record.times, count: record.count)
        add(record.amounts, count: record.count)
    }
}
