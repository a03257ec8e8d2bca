/// A multiset of times that is built by adding and taking away, and its lower median.
struct WeightedMedian {
    private var times: [Int64] = []
    private var counts: [Int64] = []
    private var total: Int64 = 0
    private var greatest: Int64 = 0

    mutating func add(_ time: Int64, count: Int64) {
        times.append(time)
        counts.append(count)
        total += count
        greatest = max(greatest, time)
    }

    /// The value at rank ⌈n/2⌉ of the sorted times; `nil` where there are none.
    ///
    /// A histogram of the high bits finds the bucket that the rank falls in, and only that bucket is sorted: one pass
    /// over the times instead of a sort of all of them.
    var value: Int64? {
        guard total > 0 else { return nil }
        var rank = (total + 1) / 2
        let bucketBits = 12
        let shift = max(0, Int64.bitWidth - greatest.leadingZeroBitCount - bucketBits)
        var histogram = [Int64](repeating: 0, count: 1 << bucketBits)
        for (time, count) in zip(times, counts) { histogram[Int(time >> shift)] += count }
        var bucket = 0
        while histogram[bucket] < rank {
            rank -= histogram[bucket]
            bucket += 1
        }
        var members: [Int64: Int64] = [:]
        for (time, count) in zip(times, counts) where Int(time >> shift) == bucket {
            members[time, default: 0] += count
        }
        for (time, count) in members.sorted(by: { $0.key < $1.key }) {
            rank -= count
            if rank <= 0 { return time }
        }
        // The bucket holds at least `rank` times, so the loop has returned.
        return nil
    }
}
