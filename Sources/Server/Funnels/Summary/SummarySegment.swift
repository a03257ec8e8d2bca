/// An encoded part of the summary: a multiset of attempts. The segments of one ``SummaryKey`` add up.
///
/// A store appends one segment per commit and key and merges segments by ``foldCount(existing:new:)``, so that the cost
/// of a commit or a report does not grow with the number of commits. To remove an attempt, a segment adds it a negative
/// number of times.
///
/// A segment consists of groups of attempts that count between the same days, so that a report skips groups that do
/// not count in its range. A group has the varints `previousGap nextGap byteCount`, then the number of attempts by
/// depth, the times to each step in columns, of which a report reads only a small part to find the median, and what the
/// funnel has of endings and sums.
public enum SummarySegment {
    /// Returns the sum of encoded segments, without attempts that cancel out. It is empty where all cancel out.
    ///
    /// - Throws: ``DamagedSegment`` where a segment cannot be read.
    public static func merged(_ segments: [[UInt8]]) throws(DamagedSegment) -> [UInt8] {
        encoded(try groups(of: segments))
    }

    /// Returns how many of a key's newest segments a store merges with a new segment.
    ///
    /// A segment is merged into a newer one of at least half its size. So sizes at least double from each segment to
    /// the next older one, the number of segments grows with the logarithm of their size, and a record is rewritten as
    /// often: the geometric merging of [log-structured merge trees](https://doi.org/10.1007/s002360050048). Segments whose
    /// sum would be larger than 32 MiB stay apart, because a store reads and writes a segment as a whole.
    ///
    /// - Parameters:
    ///   - sizes: the sizes of the key's segments in bytes, oldest first.
    ///   - size: the size of the new segment in bytes.
    public static func foldCount(existing sizes: [Int], new size: Int) -> Int {
        var total = size
        var folded = 0
        for size in sizes.reversed() {
            guard size <= 2 * total, size + total <= maximumByteCount else { break }
            total += size
            folded += 1
        }
        return folded
    }

    private static let maximumByteCount = 32 << 20

    /// Encodes records as a segment.
    static func encoded(_ records: consuming [SummaryRecord]) -> [UInt8] {
        if records.count > 1 { records.sort { $0.gaps < $1.gaps } }
        var result: [UInt8] = []
        var body: [UInt8] = []
        // Enough for most of the segments of a commit.
        result.reserveCapacity(48)
        body.reserveCapacity(48)
        var start = 0
        while start < records.count {
            let gaps = records[start].gaps
            var group = SummaryGroup()
            while start < records.count, records[start].gaps == gaps {
                group.add(records[start])
                start += 1
            }
            append(&group, gaps, to: &result, &body)
        }
        return result
    }

    /// Returns the groups of several segments. Equal times within a group are not added up yet.
    static func groups(of segments: [[UInt8]]) throws(DamagedSegment) -> [SummaryGroup.Gaps: SummaryGroup] {
        var groups: [SummaryGroup.Gaps: SummaryGroup] = [:]
        for segment in segments {
            // Typed throws do not pass through withUnsafeBytes' rethrows.
            let result = segment.withUnsafeBytes { bytes in
                Result { () throws(DamagedSegment) in
                    try forEachGroup(in: bytes, where: { _ in true }) { (gaps, body) throws(DamagedBytes) in
                        try groups[gaps, default: SummaryGroup()].add(encoded: body)
                    }
                }
            }
            try result.get()
        }
        return groups
    }

    /// Calls `body` with the gaps and the encoded bytes of each group that `isWanted` accepts.
    static func forEachGroup(
        in segment: UnsafeRawBufferPointer,
        where isWanted: (SummaryGroup.Gaps) -> Bool,
        _ body: (_ gaps: SummaryGroup.Gaps, _ group: UnsafeRawBufferPointer) throws(DamagedBytes) -> Void
    ) throws(DamagedSegment) {
        do throws(DamagedBytes) {
            var reader = ByteReader(segment)
            while !reader.isAtEnd {
                let previous = UInt32(try reader.index(below: 1 << 32))
                let next = UInt32(try reader.index(below: 1 << 32))
                let gaps = SummaryGroup.Gaps(previous: previous, next: next)
                let group = try reader.counted()
                if isWanted(gaps) { try body(gaps, group) }
            }
        } catch {
            throw DamagedSegment()
        }
    }

    private static func encoded(_ groups: [SummaryGroup.Gaps: SummaryGroup]) -> [UInt8] {
        var result: [UInt8] = []
        var body: [UInt8] = []
        for (gaps, group) in groups.sorted(by: { $0.key < $1.key }) {
            var group = group
            append(&group, gaps, to: &result, &body)
        }
        return result
    }

    /// Appends an encoded group, unless its attempts cancel out.
    ///
    /// - Parameter body: memory that is reused.
    private static func append(
        _ group: inout SummaryGroup,
        _ gaps: SummaryGroup.Gaps,
        to result: inout [UInt8],
        _ body: inout [UInt8]
    ) {
        group.sum()
        guard !group.isEmpty else { return }
        body.removeAll(keepingCapacity: true)
        group.encode(to: &body)
        result.appendVarint(UInt64(gaps.previous))
        result.appendVarint(UInt64(gaps.next))
        result.appendCounted(body)
    }
}

extension SummaryRecord {
    fileprivate var gaps: SummaryGroup.Gaps { SummaryGroup.Gaps(previous: previousGap, next: nextGap) }
}

/// The bytes of a ``SummarySegment`` cannot be read: the store is damaged.
public struct DamagedSegment: Error, Sendable, Hashable {
    /// Creates the error.
    public init() {}
}
