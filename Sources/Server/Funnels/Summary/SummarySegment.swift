/// An encoded part of the summary: what a multiset of attempts has beside the counts of its outcomes. The segments of one
/// ``SummaryKey`` add up.
///
/// A store appends one segment per commit and key and merges segments by ``foldCount(existing:new:)``, so that the cost
/// of a commit or a report does not grow with the number of commits. To remove an attempt, a segment adds it a negative
/// number of times.
///
/// A segment consists of groups of attempts that count between the same days, so that a report skips groups that do
/// not count in its range. A group has the varints `previousGap nextGap byteCount`, then the times to each step in columns,
/// of which a report reads only a small part to find the median, and the details.
public enum SummarySegment {
    /// Returns the sum of encoded segments, without attempts that cancel out. It is empty where all cancel out.
    ///
    /// - Throws: ``DamagedSummary`` where a segment cannot be read.
    public static func merged(_ segments: [[UInt8]]) throws(DamagedSummary) -> [UInt8] {
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

    /// Returns the groups of several segments. Equal times within a group are not added up yet.
    static func groups(of segments: [[UInt8]]) throws(DamagedSummary) -> [DayGaps: SummaryGroup] {
        var groups: [DayGaps: SummaryGroup] = [:]
        for segment in segments {
            try segment.reading { bytes throws(DamagedSummary) in
                try forEachGroup(in: bytes, where: { _ in true }) { (gaps, body) throws(DamagedBytes) in
                    try groups[gaps, default: SummaryGroup()].add(encoded: body)
                }
            }
        }
        return groups
    }

    /// Calls `body` with the gaps and the encoded bytes of each group that `isWanted` accepts.
    static func forEachGroup(
        in segment: UnsafeRawBufferPointer,
        where isWanted: (DayGaps) -> Bool,
        _ body: (_ gaps: DayGaps, _ group: UnsafeRawBufferPointer) throws(DamagedBytes) -> Void
    ) throws(DamagedSummary) {
        do throws(DamagedBytes) {
            var reader = ByteReader(segment)
            while !reader.isAtEnd {
                let previous = UInt32(try reader.index(below: 1 << 32))
                let next = UInt32(try reader.index(below: 1 << 32))
                let gaps = DayGaps(previous: previous, next: next)
                let group = try reader.counted()
                if isWanted(gaps) { try body(gaps, group) }
            }
        } catch {
            throw DamagedSummary()
        }
    }

    /// Encodes groups. Equal times within a group need not be added up.
    static func encoded(_ groups: [DayGaps: SummaryGroup]) -> [UInt8] {
        var encoder = SummarySegmentEncoder()
        for (gaps, group) in groups.sorted(by: { $0.key < $1.key }) { encoder.append(group, gaps) }
        return encoder.take()
    }
}

/// Encodes groups as a ``SummarySegment``. It reuses its memory for the next one.
struct SummarySegmentEncoder {
    private var segment: [UInt8] = []
    private var body: [UInt8] = []

    /// Appends a group, unless its attempts cancel out.
    ///
    /// - Parameter gaps: the days between which the attempts count; greater than those of the group before.
    mutating func append(_ group: SummaryGroup, _ gaps: DayGaps) {
        var group = group
        group.sum()
        guard !group.isEmpty else { return }
        body.removeAll(keepingCapacity: true)
        group.encode(to: &body)
        segment.appendVarint(UInt64(gaps.previous))
        segment.appendVarint(UInt64(gaps.next))
        segment.appendCounted(body)
    }

    /// The groups that were appended since the last call, as a segment; empty where all cancel out.
    mutating func take() -> [UInt8] {
        defer { segment.removeAll(keepingCapacity: true) }
        return Array(segment[...])
    }
}

/// The summary of a store cannot be read, or has counts that no topic can have: the store is damaged.
public struct DamagedSummary: Error, Sendable, Hashable {
    /// Creates the error.
    public init() {}
}
