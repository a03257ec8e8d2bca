/// The sum of any number of ``TimeColumn``s, of which only the part with the median is ever read.
struct TimeDistribution {
    private struct Piece {
        var bucket: Int
        var bytes: Range<Int>
    }

    // By bucket.
    private var sums: [Int64] = []
    private var pieces: [Piece] = []
    // A copy of all buckets' bytes: the column's own are gone when the median is asked for.
    private var bytes: [UInt8] = []

    /// Adds a column and reads past it.
    mutating func add(_ reader: inout ByteReader) throws(DamagedBytes) {
        if sums.isEmpty { sums = Array(repeating: 0, count: TimeColumn.bucketCount) }
        try TimeColumn.forEachBucket(in: &reader) { bucket, sum, entries in
            sums[bucket] &+= sum
            pieces.append(Piece(bucket: bucket, bytes: bytes.count..<(bytes.count + entries.count)))
            bytes.append(contentsOf: entries)
        }
    }

    /// The value at rank ⌈n/2⌉ of the sorted times; `nil` where there are none.
    ///
    /// - Throws: where the median's bucket does not hold what its column said.
    func median() throws(DamagedBytes) -> Int64? {
        let total = sums.reduce(0, &+)
        guard total > 0 else { return nil }
        var rank = total / 2 + total % 2
        guard let bucket = Self.place(of: &rank, in: sums) else { throw DamagedBytes() }
        let times = try times(ofBucket: bucket)
        // Within the bucket the same again: one pass over its times instead of a sort of all of them.
        let lowest = TimeColumn.lowestTime(of: bucket)
        let width = TimeColumn.lowestTime(of: bucket + 1) - lowest
        let shift = max(0, Int64.bitWidth - width.leadingZeroBitCount - Self.partBits)
        var parts = [Int64](repeating: 0, count: Int(width >> shift) + 1)
        for entry in times { parts[Int((entry.time - lowest) >> shift)] &+= entry.count }
        guard let part = Self.place(of: &rank, in: parts) else { throw DamagedBytes() }
        let members = TimeColumn.summed(times.filter { Int(($0.time - lowest) >> shift) == part })
        guard let place = Self.place(of: &rank, in: members.map(\.count)) else { throw DamagedBytes() }
        return members[place].time
    }

    private static let partBits = 12

    /// The place of the count that a rank falls in, and the rank within it; `nil` where the counts are too few.
    private static func place(of rank: inout Int64, in counts: [Int64]) -> Int? {
        for (place, count) in counts.enumerated() {
            if count >= rank { return place }
            rank &-= count
        }
        return nil
    }

    private func times(ofBucket bucket: Int) throws(DamagedBytes) -> [TimeCount] {
        // Typed throws do not pass through withUnsafeBytes' rethrows.
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(DamagedBytes) in
                var times: [TimeCount] = []
                for piece in pieces where piece.bucket == bucket {
                    let entries = UnsafeRawBufferPointer(rebasing: bytes[piece.bytes])
                    try TimeColumn.forEachTime(in: entries, ofBucket: bucket) { times.append($0) }
                }
                return times
            }
        }
        return try result.get()
    }
}
