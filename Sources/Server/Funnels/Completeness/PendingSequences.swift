import FlowEvents

/// The sequence numbers of one commit interval's events that ``PendingEvents`` does not have: runs of consecutive numbers,
/// each linked to the previous run of its install.
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

    /// Adds a sequence number to a run that has it already or ends before it.
    ///
    /// - Parameter latest: the latest run of the install.
    /// - Returns: whether the run has the number now.
    @inline(__always)
    mutating func extend(_ latest: Index?, by number: Int64) -> Bool {
        guard let latest else { return false }
        let numbers = runs[latest.offset].numbers
        guard number >= numbers.low, number <= numbers.high + 1 else { return false }
        if number > numbers.high { runs[latest.offset].numbers.high = number }
        return true
    }

    /// Appends a run of one number.
    ///
    /// - Parameter latest: the latest run of the install.
    /// - Returns: the new run.
    mutating func append(_ number: Int64, partition: Int32, latest: Index?) -> Index {
        let numbers = SequenceRuns.Run(low: number, high: number)
        runs.append(Run(numbers: numbers, partition: partition, previous: latest))
        return Index(runs.count - 1)
    }

    mutating func insert(_ notice: DropNotice, sequence: Int64, install: InstallTable.Index) {
        notices[install, default: []].append(Notice(sequence: sequence, notice: notice))
    }

    /// Appends the runs of one install, the latest first.
    ///
    /// - Returns: the partition of the latest run.
    func collect(latest: Index, into collected: inout [SequenceRuns.Run]) -> Int32 {
        var index: Index? = latest
        while let current = index {
            let run = runs[current.offset]
            collected.append(run.numbers)
            index = run.previous
        }
        return runs[latest.offset].partition
    }
}

extension [SequenceRuns.Run] {
    /// Adds a number: to the last run where it continues that at either end, else as a new run.
    @inline(__always)
    mutating func append(number: Int64) {
        if let last, number >= last.low - 1, number <= last.high + 1 {
            self[count - 1].low = Swift.min(last.low, number)
            self[count - 1].high = Swift.max(last.high, number)
        } else {
            append(SequenceRuns.Run(low: number, high: number))
        }
    }
}
