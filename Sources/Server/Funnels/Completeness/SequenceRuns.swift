import FlowEvents

/// A set of sequence numbers, stored as runs of consecutive numbers: one run for an install whose events have all
/// arrived, and one more for each gap.
///
/// Numbers are only added, by union, so neither their order nor repeats affect the result.
struct SequenceRuns: Equatable {
    /// Consecutive numbers, both ends included.
    struct Run: Equatable {
        var low: Int64
        var high: Int64
    }

    /// The runs, in order, with a gap between each two.
    private(set) var runs: [Run] = []

    /// The distance from the lowest number to the highest.
    var span: Int64 {
        guard let first = runs.first, let last = runs.last else { return 0 }
        return last.high - first.low
    }

    /// The count of all numbers from the lowest to the highest.
    var expected: Int64 { runs.isEmpty ? 0 : span + 1 }

    /// The count of the expected numbers that are not in the set.
    var missing: Int64 {
        guard runs.count > 1 else { return 0 }
        return runs.reduce(expected) { $0 - ($1.high - $1.low + 1) }
    }

    /// Whether more than `limit` numbers in a row, between the lowest and the highest, are not in the set.
    func hasGap(above limit: Int64) -> Bool {
        runs.count > 1 && zip(runs, runs.dropFirst()).contains { $1.low - $0.high - 1 > limit }
    }

    func contains(_ number: Int64) -> Bool {
        let index = runs.partitioningIndex { $0.high >= number }
        return index < runs.count && runs[index].low <= number
    }

    mutating func removeAll() { runs.removeAll(keepingCapacity: true) }

    /// Appends a run that begins after a gap behind the last run.
    mutating func append(_ run: Run) { runs.append(run) }

    /// Adds numbers.
    ///
    /// - Parameter added: runs in order of their lower ends, which may overlap.
    /// - Returns: whether one of the numbers was new.
    mutating func formUnion(_ added: [Run]) -> Bool {
        if added.count == 1, let run = added.first {
            guard let last = runs.last else {
                runs.append(run)
                return true
            }
            if last.low <= run.low, run.low <= last.high + 1 {
                // Most added runs continue the last run.
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
