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
        guard
            let bucket = sums.firstIndex(where: { sum in
                if sum >= rank { return true }
                rank &-= sum
                return false
            })
        else { throw DamagedBytes() }
        for entry in TimeColumn.summed(try times(ofBucket: bucket)) {
            rank &-= entry.count
            if rank <= 0 { return entry.time }
        }
        throw DamagedBytes()
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
