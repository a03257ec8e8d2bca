/// A time and how often it occurs. A negative count removes the time.
struct TimeCount: Sendable, Hashable {
    /// In milliseconds; from 0 to ``Funnel/maximumWindow``.
    var time: Int64
    var count: Int64
}

/// The coding of a multiset of times, of which only a small part must be read to find the median.
///
/// Times are stored in order and in buckets, with an index of the counts of the buckets. All columns have the same
/// buckets, so the sums over any number of columns show which bucket has the median of all of them. The buckets are
/// those of an [HDR histogram](https://hdrhistogram.org): eight for each power of two, so that a window of one hour
/// has at most 160.
///
/// The coding consists of varints. First comes the number of buckets, then for each bucket its number as the
/// difference from the previous one, the sum of its counts and its size in bytes, then the bodies of the buckets. In a
/// body, a time is the difference from the previous time, doubled, plus 1 where a count follows because it is not 1.
enum TimeColumn {
    /// Sorts the times and adds up the counts of equal times, without those that cancel out.
    static func summed(_ entries: [TimeCount]) -> [TimeCount] {
        if entries.isEmpty { return [] }
        var result: [TimeCount] = []
        result.reserveCapacity(entries.count)
        for entry in entries.sorted(by: { $0.time < $1.time }) {
            if result.last?.time == entry.time {
                result[result.count - 1].count &+= entry.count
            } else {
                if result.last?.count == 0 { result.removeLast() }
                result.append(entry)
            }
        }
        if result.last?.count == 0 { result.removeLast() }
        return result
    }

    /// Encodes times as ``summed(_:)`` returns them.
    static func encode(_ entries: [TimeCount], to bytes: inout [UInt8]) {
        if entries.isEmpty { return bytes.append(0) }
        var index: [UInt8] = []
        var bodies: [UInt8] = []
        var buckets: UInt64 = 0
        var previousBucket = 0
        var rest = entries[...]
        while let first = rest.first {
            let bucket = bucket(of: first.time)
            let start = bodies.count
            var sum: Int64 = 0
            var previousTime = lowestTime(of: bucket)
            while let entry = rest.first, self.bucket(of: entry.time) == bucket {
                let difference = UInt64(entry.time - previousTime) * 2
                bodies.appendVarint(entry.count == 1 ? difference : difference + 1)
                if entry.count != 1 { bodies.appendSigned(entry.count) }
                previousTime = entry.time
                sum &+= entry.count
                rest.removeFirst()
            }
            index.appendVarint(UInt64(bucket - previousBucket))
            index.appendSigned(sum)
            index.appendVarint(UInt64(bodies.count - start))
            previousBucket = bucket
            buckets += 1
        }
        bytes.appendVarint(buckets)
        bytes.append(contentsOf: index)
        bytes.append(contentsOf: bodies)
    }

    /// Reads a column and calls `body` with each bucket: its number, the sum of its counts, and the range of its times
    /// in the returned bytes.
    @discardableResult
    static func forEachBucket(
        in reader: inout ByteReader,
        _ body: (_ bucket: Int, _ sum: Int64, _ entries: Range<Int>) throws(DamagedBytes) -> Void
    ) throws(DamagedBytes) -> UnsafeRawBufferPointer {
        var bucket = 0
        var end = 0
        for _ in 0..<(try reader.count()) {
            bucket += try reader.index(below: bucketCount - bucket)
            let sum = try reader.signed()
            let size = try reader.index(below: Int(UInt32.max))
            try body(bucket, sum, end..<end + size)
            end += size
        }
        return try reader.bytes(end)
    }

    /// Calls `body` with each time of an encoded bucket.
    static func forEachTime(
        in entries: UnsafeRawBufferPointer,
        ofBucket bucket: Int,
        _ body: (TimeCount) -> Void
    ) throws(DamagedBytes) {
        var reader = ByteReader(entries)
        var time = lowestTime(of: bucket)
        let end = lowestTime(of: bucket + 1)
        while !reader.isAtEnd {
            let difference = try reader.varint()
            guard difference / 2 < UInt64(end - time) else { throw DamagedBytes() }
            time += Int64(difference / 2)
            body(TimeCount(time: time, count: difference % 2 == 0 ? 1 : try reader.signed()))
        }
    }

    /// Skips a column.
    static func skip(_ reader: inout ByteReader) throws(DamagedBytes) {
        try forEachBucket(in: &reader) { _, _, _ in }
    }

    /// Reads a column and appends its times.
    static func decode(_ reader: inout ByteReader, to times: inout [TimeCount]) throws(DamagedBytes) {
        var buckets: [(bucket: Int, entries: Range<Int>)] = []
        let bodies = try forEachBucket(in: &reader) { bucket, _, entries in buckets.append((bucket, entries)) }
        for (bucket, entries) in buckets {
            let entries = UnsafeRawBufferPointer(rebasing: bodies[entries])
            try forEachTime(in: entries, ofBucket: bucket) { times.append($0) }
        }
    }

    /// The number of buckets up to that of the longest window.
    static let bucketCount = bucket(of: Funnel.maximumWindow) + 1

    private static let bitsWithin = 3

    /// The number of the bucket that contains a time: the highest four bits of the time, and the number of lower bits.
    static func bucket(of time: Int64) -> Int {
        let below = Int64.bitWidth - time.leadingZeroBitCount - 1 - bitsWithin
        guard below > 0 else { return Int(time) }
        return (below << bitsWithin) + Int(time >> below)
    }

    /// The lowest time of a bucket.
    static func lowestTime(of bucket: Int) -> Int64 {
        let below = (bucket >> bitsWithin) - 1
        guard below > 0 else { return Int64(bucket) }
        return Int64(bucket - (below << bitsWithin)) << below
    }
}
