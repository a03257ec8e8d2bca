/// Finds the median of the times of several ``TimeColumn``s. It decodes only the bucket that contains the median.
struct MedianSearch {
    private let bucket: Int
    private let rank: Int64
    // The encoded bucket of each column, which takes a tenth of the memory of decoded times. In a short process, the
    // first use of that memory costs more than decoding twice.
    private var entries: [[UInt8]] = []

    /// Creates a search; `nil` where there are no times.
    ///
    /// - Parameter histogram: the histogram of the same columns.
    /// - Throws: ``DamagedBytes`` where the histogram is impossible.
    init?(_ histogram: TimeHistogram) throws(DamagedBytes) {
        guard let (bucket, rank) = try histogram.medianBucket() else { return nil }
        self.bucket = bucket
        self.rank = rank
    }

    /// Reads a column and keeps the bucket with the median.
    mutating func add(_ reader: inout ByteReader) throws(DamagedBytes) {
        var found: Range<Int>?
        let bodies = try TimeColumn.forEachBucket(in: &reader) { bucket, _, entries in
            if bucket == self.bucket { found = entries }
        }
        guard let found else { return }
        entries.append(Array(bodies[found]))
    }

    /// Returns the value at rank ⌈n/2⌉ of the sorted times. All columns must have been added.
    ///
    /// - Throws: ``DamagedBytes`` where the bucket does not match the columns' indexes.
    func median() throws(DamagedBytes) -> Int64 {
        // The bucket is split into finer parts in the same way: two passes over its times cost less than sorting them.
        let lowest = TimeColumn.lowestTime(of: bucket)
        let width = TimeColumn.lowestTime(of: bucket + 1) - lowest
        let shift = max(0, Int64.bitWidth - width.leadingZeroBitCount - Self.partBits)
        var parts = [Int64](repeating: 0, count: Int(width >> shift) + 1)
        try forEachTime { parts[Int(($0.time - lowest) >> shift)] &+= $0.count }
        guard let (part, rank) = parts.bucket(ofRank: rank) else { throw DamagedBytes() }
        var members: [TimeCount] = []
        try forEachTime { if Int(($0.time - lowest) >> shift) == part { members.append($0) } }
        members = TimeColumn.summed(members)
        guard let (member, _) = members.map(\.count).bucket(ofRank: rank) else { throw DamagedBytes() }
        return members[member].time
    }

    private func forEachTime(_ body: (TimeCount) -> Void) throws(DamagedBytes) {
        for entries in entries {
            // Typed throws do not pass through withUnsafeBytes' rethrows.
            let result = entries.withUnsafeBytes { entries in
                Result { () throws(DamagedBytes) in try TimeColumn.forEachTime(in: entries, ofBucket: bucket, body) }
            }
            try result.get()
        }
    }

    private static let partBits = 12
}
