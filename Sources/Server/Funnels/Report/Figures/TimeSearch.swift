/// Finds exact percentiles of the times of several ``TimeColumn``s, and exact counts of the times below some bounds. It
/// decodes only the buckets that contain one of them, and reads each column once.
struct TimeSearch {
    private let histogram: TimeHistogram
    // The buckets to decode, in order, and for each of them the encoded bucket of each column. It takes a tenth of the
    // memory of decoded times. In a short process, the first use of that memory costs more than decoding twice.
    private let buckets: [Int]
    private var entries: [[[UInt8]]]

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - histogram: the histogram of the same columns.
    ///   - percents: the percentiles to find.
    ///   - bounds: the bounds below which to count.
    /// - Throws: ``DamagedBytes`` where the histogram is impossible.
    init(_ histogram: TimeHistogram, percents: [Int64], bounds: [Int64] = []) throws(DamagedBytes) {
        var buckets: Set<Int> = []
        for percent in percents {
            if let found = try histogram.bucket(atPercent: percent) { buckets.insert(found.bucket) }
        }
        for bound in bounds {
            let bucket = TimeColumn.bucket(of: bound)
            if TimeColumn.lowestTime(of: bucket) < bound, histogram.count(in: bucket) != 0 { buckets.insert(bucket) }
        }
        self.histogram = histogram
        self.buckets = buckets.sorted()
        entries = Array(repeating: [], count: buckets.count)
    }

    /// The number of times.
    var count: Int64 { histogram.total }

    /// Reads a column and keeps the buckets to decode.
    mutating func add(_ reader: inout ByteReader) throws(DamagedBytes) {
        guard !buckets.isEmpty else { return try TimeColumn.skip(&reader) }
        var found: [(index: Int, entries: Range<Int>)] = []
        var next = 0
        let bodies = try TimeColumn.forEachBucket(in: &reader) { bucket, _, entries in
            while next < buckets.count, buckets[next] < bucket { next += 1 }
            if next < buckets.count, buckets[next] == bucket { found.append((next, entries)) }
        }
        for (index, range) in found { entries[index].append(Array(bodies[range])) }
    }

    /// Returns the value at rank ⌈percent · n / 100⌉ of the n sorted times; `nil` where there are none. All columns must
    /// have been added.
    ///
    /// - Throws: ``DamagedBytes`` where the bucket does not match the columns' indexes.
    func time(atPercent percent: Int64) throws(DamagedBytes) -> Int64? {
        guard let (bucket, rank) = try histogram.bucket(atPercent: percent) else { return nil }
        // The bucket is split into finer parts in the same way: two passes over its times cost less than sorting them.
        let lowest = TimeColumn.lowestTime(of: bucket)
        let width = TimeColumn.lowestTime(of: bucket + 1) - lowest
        let shift = max(0, Int64.bitWidth - width.leadingZeroBitCount - Self.partBits)
        var parts = [Int64](repeating: 0, count: Int(width >> shift) + 1)
        try forEachTime(in: bucket) { parts[Int(($0.time - lowest) >> shift)] &+= $0.count }
        guard let (part, rankInPart) = parts.bucket(ofRank: rank) else { throw DamagedBytes() }
        var members: [TimeCount] = []
        try forEachTime(in: bucket) { if Int(($0.time - lowest) >> shift) == part { members.append($0) } }
        members = TimeColumn.summed(members)
        guard let (member, _) = members.map(\.count).bucket(ofRank: rankInPart) else { throw DamagedBytes() }
        return members[member].time
    }

    /// Returns the number of times below one of the bounds. All columns must have been added.
    func count(below bound: Int64) throws(DamagedBytes) -> Int64 {
        let bucket = TimeColumn.bucket(of: bound)
        var count = histogram.total(below: bucket)
        try forEachTime(in: bucket) { if $0.time < bound { count &+= $0.count } }
        return count
    }

    private func forEachTime(in bucket: Int, _ body: (TimeCount) -> Void) throws(DamagedBytes) {
        guard let index = buckets.firstIndex(of: bucket) else { return }
        for entries in entries[index] {
            try entries.reading { entries throws(DamagedBytes) in
                try TimeColumn.forEachTime(in: entries, ofBucket: bucket, body)
            }
        }
    }

    private static let partBits = 12
}
