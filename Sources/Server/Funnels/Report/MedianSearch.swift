/// Finds the median of the times of any number of ``TimeColumn``s, of which only the bucket that it is in is decoded.
struct MedianSearch {
    private let bucket: Int
    private let rank: Int64
    // The bucket of each column, encoded as it was: a tenth of the memory that the times would take, and memory that a
    // short process touches for the first time costs it more than decoding twice.
    private var entries: [[UInt8]] = []

    /// `nil` where there are no times.
    ///
    /// - Parameter histogram: that of the same columns.
    /// - Throws: where it cannot be the histogram of any times.
    init?(_ histogram: TimeHistogram) throws(DamagedBytes) {
        guard let (bucket, rank) = try histogram.medianPlace() else { return nil }
        self.bucket = bucket
        self.rank = rank
    }

    /// Looks at a column and reads past it.
    mutating func add(_ reader: inout ByteReader) throws(DamagedBytes) {
        var found: Range<Int>?
        let bodies = try TimeColumn.forEachBucket(in: &reader) { bucket, _, entries in
            if bucket == self.bucket { found = entries }
        }
        guard let found else { return }
        entries.append(Array(bodies[found]))
    }

    /// The value at rank ⌈n/2⌉ of the sorted times, when all columns have been added.
    ///
    /// - Throws: where the bucket does not hold what the columns' indexes said.
    func median() throws(DamagedBytes) -> Int64 {
        // The same again, in finer parts: two passes over the bucket's times instead of a sort of all of them.
        let lowest = TimeColumn.lowestTime(of: bucket)
        let width = TimeColumn.lowestTime(of: bucket + 1) - lowest
        let shift = max(0, Int64.bitWidth - width.leadingZeroBitCount - Self.partBits)
        var parts = [Int64](repeating: 0, count: Int(width >> shift) + 1)
        try forEachTime { parts[Int(($0.time - lowest) >> shift)] &+= $0.count }
        guard let (part, rank) = parts.place(ofRank: rank) else { throw DamagedBytes() }
        var members: [TimeCount] = []
        try forEachTime { if Int(($0.time - lowest) >> shift) == part { members.append($0) } }
        members = TimeColumn.summed(members)
        guard let (member, _) = members.map(\.count).place(ofRank: rank) else { throw DamagedBytes() }
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
