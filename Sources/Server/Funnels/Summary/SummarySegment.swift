/// A part of the summary: a multiset of attempts, encoded. Segments of one ``SummaryKey`` add up.
///
/// A store appends one per commit and key and folds them by ``foldCount(existing:new:)``, so that neither a commit nor
/// a report grows with the number of commits. Taking an attempt away is adding it a negative number of times.
///
/// The coding is groups of the attempts that count between the same days, so that a report skips what does not count in
/// its range: varints `previousGap nextGap byteCount`, then how many attempts met how many steps, and the times to each
/// step in columns of which a report needs to read little to know the median.
public enum SummarySegment {
    /// The sum of encoded segments. What cancels out is gone; empty where nothing is left.
    ///
    /// - Throws: ``DamagedSegment`` where one of them was not written by this type.
    public static func merged(_ segments: [[UInt8]]) throws(DamagedSegment) -> [UInt8] {
        encoded(try groups(of: segments))
    }

    /// How many of a key's newest segments a new one is to be merged with.
    ///
    /// A segment is folded into a newer one that is at least half its size, so sizes at least double from one to the
    /// next older, a key has about as many segments as its size has bits, and a record is rewritten as often: the
    /// geometric merging of [log-structured merge trees](https://doi.org/10.1007/s002360050048).
    ///
    /// - Parameters:
    ///   - sizes: the bytes of the key's segments, oldest first.
    ///   - size: the bytes of the new one.
    public static func foldCount(existing sizes: [Int], new size: Int) -> Int {
        var total = size
        var folded = 0
        for size in sizes.reversed() {
            guard size <= 2 * total else { break }
            total += size
            folded += 1
        }
        return folded
    }

    /// The segment of single records.
    static func encoded(_ records: [SummaryRecord]) -> [UInt8] {
        var groups: [SummaryGroup.Gaps: SummaryGroup] = [:]
        for record in records {
            groups[SummaryGroup.Gaps(previous: record.previousGap, next: record.nextGap), default: SummaryGroup()]
                .add(depth: record.depth, times: record.times, count: record.count)
        }
        return encoded(groups)
    }

    /// The groups of encoded segments, added up, but not yet each.
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

    /// Calls `body` with the gaps and the coding of each group that `isWanted` accepts.
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
            group.sum()
            guard !group.isEmpty else { continue }
            body.removeAll(keepingCapacity: true)
            group.encode(to: &body)
            result.appendVarint(UInt64(gaps.previous))
            result.appendVarint(UInt64(gaps.next))
            result.appendCounted(body)
        }
        return result
    }
}

/// Bytes that are no ``SummarySegment``: the store that they come from is damaged.
public struct DamagedSegment: Error, Sendable, Hashable {
    /// Creates the error.
    public init() {}
}
