import RDKafka

/// The times from records' timestamps to their commits, in milliseconds.
struct CommitLag {
    private var lags: [Int] = []

    /// Matches records with the commits that a watch has seen.
    ///
    /// - Parameters:
    ///   - records: the offsets and the timestamps of the records of each partition, in the order of the offsets.
    ///   - looks: in the order of their times.
    init(_ records: [Int32: [(offset: Int64, timestamp: Int64)]], committedIn looks: [CommitWatch.Look]) {
        for (partition, records) in records {
            var index = 0
            for look in looks {
                let end = look.offsets[partition] ?? 0
                while index < records.count, records[index].offset < end {
                    lags.append(Int(look.time - records[index].timestamp))
                    index += 1
                }
            }
        }
        lags.sort()
    }

    /// The number of records that were committed.
    var count: Int { lags.count }

    /// Returns the lag that a share of the records does not exceed; 0 without records.
    func quantile(_ share: Double) -> Int {
        lags.isEmpty ? 0 : lags[min(lags.count - 1, Int(share * Double(lags.count)))]
    }
}
