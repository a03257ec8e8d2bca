/// The counts of the times of several ``TimeColumn``s by bucket, read from the columns' indexes only.
struct TimeHistogram {
    private var sums: [Int64] = []

    /// Reads a column and adds its counts.
    mutating func add(_ reader: inout ByteReader) throws(DamagedBytes) {
        try TimeColumn.forEachBucket(in: &reader) { bucket, sum, _ in
            if bucket >= sums.count { sums += Array(repeating: 0, count: bucket + 1 - sums.count) }
            sums[bucket] &+= sum
        }
    }

    /// The number of times.
    var total: Int64 { sums.reduce(0, &+) }

    /// Returns the number of times in the buckets below a bucket.
    func total(below bucket: Int) -> Int64 { sums.prefix(bucket).reduce(0, &+) }

    /// Returns the number of times in a bucket.
    func count(in bucket: Int) -> Int64 { bucket < sums.count ? sums[bucket] : 0 }

    /// Returns the bucket that contains the value at rank ⌈percent · n / 100⌉ of all n times, and the rank within the
    /// bucket; `nil` where there are no times.
    ///
    /// - Throws: ``DamagedBytes`` where the sums are impossible.
    func bucket(atPercent percent: Int64) throws(DamagedBytes) -> (bucket: Int, rank: Int64)? {
        let total = total
        guard total > 0 else { return nil }
        let (hundreds, rest) = total.quotientAndRemainder(dividingBy: 100)
        let rank = max(1, hundreds * percent + (rest * percent + 99) / 100)
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
