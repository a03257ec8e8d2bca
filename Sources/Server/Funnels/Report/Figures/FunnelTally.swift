/// The sums over the segments of one funnel or one breakdown value: the number of attempts by depth, and the histograms
/// of their times. ``FunnelFigures`` finds the exact times when it reads the segments again.
struct FunnelTally {
    /// Element k is the number of attempts that ended at step k + 1.
    private(set) var ends: [Int64]
    /// The histograms of the columns, in the order of ``SummaryGroup``.
    private(set) var columns: [TimeHistogram]
    /// How the attempts ended, and their sums.
    private(set) var extras = SummaryExtras()

    init(stepCount: Int) {
        ends = Array(repeating: 0, count: stepCount)
        columns = Array(repeating: TimeHistogram(), count: SummaryGroup.columnCount(depth: stepCount))
    }

    /// Adds a segment of a day in the range.
    mutating func add(_ segment: UnsafeRawBufferPointer, day: Day, in range: SummaryRange) throws(DamagedSegment) {
        try range.forEachGroup(in: segment, day: day) { (group) throws(DamagedBytes) in
            try SummaryGroup.read(group) { (depth, count) throws(DamagedBytes) in
                // An attempt cannot be deeper than the funnel has steps.
                guard depth <= ends.count else { throw DamagedBytes() }
                ends[depth - 1] &+= count
            } columns: { (column, reader) throws(DamagedBytes) in
                try columns[column].add(&reader)
            } extras: { (reader) throws(DamagedBytes) in
                try extras.add(from: &reader)
            }
        }
    }

    /// The number of actors that reached each step.
    var counts: [Int] {
        // An actor whose attempt ended at a step has reached all earlier steps too.
        var counts = ends.map(Int.init)
        for index in counts.indices.dropLast().reversed() { counts[index] &+= counts[index + 1] }
        return counts
    }

    /// Whether the range has no attempts.
    var isEmpty: Bool { ends.allSatisfy { $0 == 0 } }
}
