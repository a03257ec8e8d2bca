/// How many times of any number of ``TimeColumn``s fall in each bucket, read from their indexes alone.
struct TimeHistogram {
    private var sums: [Int64] = []

    /// Adds a column and reads past it.
    mutating func add(_ reader: inout ByteReader) throws(DamagedBytes) {
        if sums.isEmpty { sums = Array(repeating: 0, count: TimeColumn.bucketCount) }
        try TimeColumn.forEachBucket(in: &reader) { bucket, sum, _ in sums[bucket] &+= sum }
    }

    /// The bucket with the value at rank ⌈n/2⌉ of all times, and its rank within it; `nil` where there are no times.
    ///
    /// - Throws: where the sums cannot be those of any times.
    func medianPlace() throws(DamagedBytes) -> (bucket: Int, rank: Int64)? {
        let total = sums.reduce(0, &+)
        guard total > 0 else { return nil }
        let rank = total / 2 + total % 2
        guard let (bucket, rankInBucket) = sums.place(ofRank: rank) else { throw DamagedBytes() }
        return (bucket, rankInBucket)
    }
}

extension [Int64] {
    /// Where counts of things in order have the thing of a rank, counted from 1, and its rank there; `nil` where they are
    /// too few.
    func place(ofRank rank: Int64) -> (index: Int, rank: Int64)? {
        var rank = rank
        for (index, count) in enumerated() {
            if count >= rank { return (index, rank) }
            rank &-= count
        }
        return nil
    }
}
