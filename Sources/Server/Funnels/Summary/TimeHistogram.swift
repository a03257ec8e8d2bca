/// The counts of the times of several ``TimeColumn``s by bucket, read from the columns' indexes only.
struct TimeHistogram {
    private var sums: [Int64] = []

    /// Reads a column and adds its counts.
    mutating func add(_ reader: inout ByteReader) throws(DamagedBytes) {
        if sums.isEmpty { sums = Array(repeating: 0, count: TimeColumn.bucketCount) }
        try TimeColumn.forEachBucket(in: &reader) { bucket, sum, _ in sums[bucket] &+= sum }
    }

    /// The bucket that contains the value at rank ⌈n/2⌉ of all times, and the rank within the bucket; `nil` where there
    /// are no times.
    ///
    /// - Throws: ``DamagedBytes`` where the sums are impossible.
    func medianBucket() throws(DamagedBytes) -> (bucket: Int, rank: Int64)? {
        let total = sums.reduce(0, &+)
        guard total > 0 else { return nil }
        let rank = total / 2 + total % 2
        guard let (bucket, rankInBucket) = sums.bucket(ofRank: rank) else { throw DamagedBytes() }
        return (bucket, rankInBucket)
    }
}

extension [Int64] {
    /// Takes the elements as the counts of consecutive buckets, and returns the bucket that contains a rank, counted
    /// from 1, and the rank within the bucket; `nil` where the sum of the counts is less than the rank.
    func bucket(ofRank rank: Int64) -> (index: Int, rank: Int64)? {
        var rank = rank
        for (index, count) in enumerated() {
            if count >= rank { return (index, rank) }
            rank &-= count
        }
        return nil
    }
}
