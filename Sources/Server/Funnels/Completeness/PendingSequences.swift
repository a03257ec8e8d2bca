import FlowEvents

/// The sequence numbers of one commit interval's events: runs of consecutive numbers, each linked to the previous run
/// of its install.
///
/// Most events, whatever they match, only extend the latest run of their install.
struct PendingSequences {
    struct Run {
        var numbers: SequenceRuns.Run
        var partition: Int32
        /// The previous run of the same install.
        @CompactIndex var previous: Index?
    }

    typealias Index = TableIndex<PendingSequences>

    /// A notice of dropped events, with the sequence number of the event that carried it.
    struct Notice {
        var sequence: Int64
        var notice: DropNotice
    }

    private(set) var runs: [Run] = []
    /// The notices by install.
    private(set) var notices: [InstallTable.Index: [Notice]] = [:]

    /// - Parameter capacity: how many runs are expected.
    init(capacity: Int = 0) {
        runs.reserveCapacity(capacity)
    }

    /// The memory that the runs take, in bytes, approximately.
    var byteCount: Int { runs.count * MemoryLayout<Run>.stride }

    /// Adds a sequence number.
    ///
    /// - Parameter latest: the latest run of the install.
    /// - Returns: the latest run of the install after that.
    @inline(__always)
    mutating func insert(_ number: Int64, partition: Int32, latest: Index?) -> Index {
        if let latest {
            let numbers = runs[latest.offset].numbers
            if number >= numbers.low, number <= numbers.high + 1 {
                if number > numbers.high { runs[latest.offset].numbers.high = number }
                return latest
            }
        }
        let numbers = SequenceRuns.Run(low: number, high: number)
        runs.append(Run(numbers: numbers, partition: partition, previous: latest))
        return Index(runs.count - 1)
    }

    mutating func insert(_ notice: DropNotice, sequence: Int64, install: InstallTable.Index) {
        notices[install, default: []].append(Notice(sequence: sequence, notice: notice))
    }

    /// Replaces the contents of `collected` by the runs of one install, the latest first.
    func collect(latest: Index, into collected: inout [SequenceRuns.Run]) {
        collected.removeAll(keepingCapacity: true)
        var index: Index? = latest
        while let current = index {
            let run = runs[current.offset]
            collected.append(run.numbers)
            index = run.previous
        }
    }
}
