import FlowEvents

/// The numbers of one commit interval's events, by install: runs of numbers that came one after the other, each linked
/// to the same install's run before it.
///
/// Nearly all events only move the end of a run on, whatever they match.
struct PendingSequences {
    struct Run {
        var numbers: SequenceRuns.Run
        var partition: Int32
        /// The same install's run before; negative for its first.
        var previous: Int32
    }

    /// A told drop, with the number of the event that told it.
    struct Notice {
        var sequence: Int64
        var notice: DropNotice
    }

    private(set) var runs: [Run] = []
    /// By the installs' places.
    private(set) var notices: [Int: [Notice]] = [:]

    /// How many bytes they take, roughly.
    var byteCount: Int { runs.count * MemoryLayout<Run>.stride }

    /// Adds a number.
    ///
    /// - Parameter latest: the install's latest run; negative where it has none yet.
    /// - Returns: the install's latest run now.
    @inline(__always)
    mutating func insert(_ number: Int64, partition: Int32, latest: Int32) -> Int32 {
        if latest >= 0 {
            let numbers = runs[Int(latest)].numbers
            if number >= numbers.low, number <= numbers.high + 1 {
                if number > numbers.high { runs[Int(latest)].numbers.high = number }
                return latest
            }
        }
        let numbers = SequenceRuns.Run(low: number, high: number)
        runs.append(Run(numbers: numbers, partition: partition, previous: latest))
        return Int32(runs.count - 1)
    }

    mutating func insert(_ notice: DropNotice, by sequence: Int64, place: Int) {
        notices[place, default: []].append(Notice(sequence: sequence, notice: notice))
    }

    /// One install's runs, the latest first.
    func collect(latest: Int32, into collected: inout [SequenceRuns.Run]) {
        collected.removeAll(keepingCapacity: true)
        var place = latest
        while place >= 0 {
            let run = runs[Int(place)]
            collected.append(run.numbers)
            place = run.previous
        }
    }
}
