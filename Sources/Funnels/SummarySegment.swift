/// A part of the summary: a multiset of attempts, encoded. Segments of one ``SummaryKey`` add up.
///
/// A store appends one per commit and key and folds them by ``foldCount(existing:new:)``, so that neither a commit nor
/// a report grows with the number of commits. Taking an attempt away is adding it a negative number of times.
///
/// The coding is records grouped by the days between which they count and by depth, so that a report skips what does
/// not count in its range: varints `previousGap nextGap depth byteCount`, then per record the signed count and, for
/// depth 2 and more, the times, the first as its difference from the record before.
public enum SummarySegment {
    /// The sum of encoded segments. What cancels out is gone; empty where nothing is left.
    ///
    /// - Throws: ``DamagedSegment`` where one of them was not written by this type.
    public static func merged(_ segments: [[UInt8]]) throws(DamagedSegment) -> [UInt8] {
        var records: [SummaryRecord] = []
        for segment in segments { records += try decoded(segment) }
        return encoded(records)
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

    static func encoded(_ records: [SummaryRecord]) -> [UInt8] {
        var result: [UInt8] = []
        var group: [UInt8] = []
        var head: SummaryRecord?
        var previousTime: Int64 = 0
        func closeGroup() {
            guard let head else { return }
            result.appendVarint(UInt64(head.previousGap))
            result.appendVarint(UInt64(head.nextGap))
            result.appendVarint(UInt64(head.depth))
            result.appendCounted(group)
            group.removeAll(keepingCapacity: true)
        }
        for record in summed(records) {
            if head.map({ !$0.isGrouped(with: record) }) ?? true {
                closeGroup()
                head = record
                previousTime = 0
            }
            group.appendSigned(record.count)
            guard let time = record.times.first else { continue }
            group.appendSigned(time - previousTime)
            previousTime = time
            for time in record.times.dropFirst() { group.appendSigned(time) }
        }
        closeGroup()
        return result
    }

    static func decoded(_ segment: [UInt8]) throws(DamagedSegment) -> [SummaryRecord] {
        var records: [SummaryRecord] = []
        // Typed throws do not pass through withUnsafeBytes' rethrows.
        let result = segment.withUnsafeBytes { bytes in
            Result {
                try forEachRecord(in: bytes, where: { _, _ in true }) { head, count, times in
                    var record = head
                    record.count = count
                    record.times = Array(times)
                    records.append(record)
                }
            }
        }
        guard case .success = result else { throw DamagedSegment() }
        return records
    }

    /// Calls `body` with the depth, count and times of each record whose gaps `isWanted` accepts.
    static func forEachRecord(
        in segment: UnsafeRawBufferPointer,
        where isWanted: (_ previousGap: UInt32, _ nextGap: UInt32) -> Bool,
        _ body: (_ head: SummaryRecord, _ count: Int64, _ times: [Int64]) -> Void
    ) throws(DamagedSegment) {
        do throws(DamagedBytes) {
            var reader = ByteReader(segment)
            var times: [Int64] = []
            while !reader.isAtEnd {
                let previousGap = UInt32(try reader.index(below: 1 << 32))
                let nextGap = UInt32(try reader.index(below: 1 << 32))
                let depth = try reader.index(below: Funnel.maximumStepCount + 1)
                guard depth > 0 else { throw DamagedBytes() }
                let group = try reader.counted()
                guard isWanted(previousGap, nextGap) else { continue }
                let head = SummaryRecord(
                    previousGap: previousGap,
                    nextGap: nextGap,
                    depth: depth,
                    times: [],
                    count: 0
                )
                times = Array(repeating: 0, count: depth - 1)
                var entries = ByteReader(group)
                var previousTime: Int64 = 0
                while !entries.isAtEnd {
                    let count = try entries.signed()
                    if depth > 1 {
                        previousTime &+= try entries.signed()
                        times[0] = previousTime
                        for index in times.indices.dropFirst() { times[index] = try entries.signed() }
                        guard times.allSatisfy((0...Funnel.maximumWindow).contains) else { throw DamagedBytes() }
                    }
                    body(head, count, times)
                }
            }
        } catch {
            throw DamagedSegment()
        }
    }

    private static func summed(_ records: [SummaryRecord]) -> [SummaryRecord] {
        var sums: [SummaryRecord] = []
        // Numbers are sorted instead of the records, whose times would be counted references to be moved.
        let order = records.withUnsafeBufferPointer { records in
            records.indices.sorted { SummaryRecord.precedes(records[$0], records[$1]) }
        }
        for record in order.lazy.map({ records[$0] }) {
            if let last = sums.last, last.isGrouped(with: record), last.times == record.times {
                sums[sums.count - 1].count += record.count
            } else {
                if sums.last?.count == 0 { sums.removeLast() }
                sums.append(record)
            }
        }
        if sums.last?.count == 0 { sums.removeLast() }
        return sums
    }
}

/// Bytes that are no ``SummarySegment``: the store that they come from is damaged.
public struct DamagedSegment: Error, Sendable, Hashable {
    /// Creates the error.
    public init() {}
}

extension SummaryRecord {
    fileprivate func isGrouped(with other: SummaryRecord) -> Bool {
        previousGap == other.previousGap && nextGap == other.nextGap && depth == other.depth
    }
}
