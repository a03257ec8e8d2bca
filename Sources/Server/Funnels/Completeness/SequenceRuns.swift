/// A set of sequence numbers, kept as the runs of numbers that follow each other: one for an install whose events have
/// all arrived, and one more for each gap.
///
/// A union of sets, so neither order nor repetition changes what it becomes.
struct SequenceRuns: Equatable {
    /// Numbers that follow each other, both ends included.
    struct Run: Equatable {
        var low: Int64
        var high: Int64
    }

    /// In order; between two there is a gap.
    private(set) var runs: [Run] = []

    /// The distance from the lowest number to the highest.
    var span: Int64 {
        guard let first = runs.first, let last = runs.last else { return 0 }
        return last.high - first.low
    }

    /// How many numbers there are from the lowest to the highest.
    var expected: Int64 { runs.isEmpty ? 0 : span + 1 }

    /// How many of them are not there.
    var missing: Int64 {
        guard runs.count > 1 else { return 0 }
        return runs.reduce(expected) { $0 - ($1.high - $1.low + 1) }
    }

    func contains(_ number: Int64) -> Bool {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].high < number { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low].low <= number
    }

    mutating func removeAll() { runs.removeAll(keepingCapacity: true) }

    /// Appends a run that lies behind all others, with a gap before it.
    mutating func append(_ run: Run) { runs.append(run) }

    /// Adds numbers.
    ///
    /// - Parameter added: in the order of their lower ends; they may overlap.
    /// - Returns: whether one of them was new.
    mutating func formUnion(_ added: [Run]) -> Bool {
        if added.count == 1, let run = added.first {
            guard let last = runs.last else {
                runs.append(run)
                return true
            }
            if last.low <= run.low, run.low <= last.high + 1 {
                // What comes next mostly goes on where the last one ended.
                guard run.high > last.high else { return false }
                runs[runs.count - 1].high = run.high
                return true
            }
        }
        var united: [Run] = []
        united.reserveCapacity(runs.count + added.count)
        var (mine, theirs) = (runs[...], added[...])
        while let next = Self.popLowest(&mine, &theirs) {
            if let last = united.last, next.low <= last.high + 1 {
                united[united.count - 1].high = max(last.high, next.high)
            } else {
                united.append(next)
            }
        }
        guard united != runs else { return false }
        runs = united
        return true
    }

    private static func popLowest(_ lhs: inout ArraySlice<Run>, _ rhs: inout ArraySlice<Run>) -> Run? {
        guard let left = lhs.first else { return rhs.popFirst() }
        guard let right = rhs.first else { return lhs.popFirst() }
        return left.low <= right.low ? lhs.popFirst() : rhs.popFirst()
    }
}
