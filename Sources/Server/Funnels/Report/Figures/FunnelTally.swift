/// The sums over the segments of one funnel or one breakdown value: the number of attempts by depth, and the histograms
/// of their times. ``FunnelFigures`` finds the exact times when it reads the segments again.
struct FunnelTally {
    /// Element k is the number of attempts that met k + 1 required steps and no more.
    private(set) var ends: [Int64]
    /// The histograms of the columns, in the order of ``SummaryGroup``.
    private(set) var columns: [TimeHistogram]
    /// The histograms of the times to optional steps, in the order of ``SummaryGroup``.
    private(set) var optionalColumns: [TimeHistogram]
    /// What the attempts have beside.
    private(set) var extras = SummaryExtras()

    init(_ funnel: Funnel) {
        let count = funnel.requiredStepCount
        ends = Array(repeating: 0, count: count)
        columns = Array(repeating: TimeHistogram(), count: SummaryGroup.columnCount(depth: count))
        optionalColumns = Array(repeating: TimeHistogram(), count: 2 * (funnel.steps.count - count))
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
            } optionalColumns: { (column, reader) throws(DamagedBytes) in
                guard optionalColumns.indices.contains(column) else { throw DamagedBytes() }
                try optionalColumns[column].add(&reader)
            } extras: { (reader) throws(DamagedBytes) in
                try extras.add(from: &reader)
            }
        }
    }

    /// The number of actors that reached each step of the funnel.
    func counts(_ funnel: Funnel) -> [Int] {
        // An actor whose attempt ended at a step has reached all earlier required steps too.
        var reached = ends.map(Int.init)
        for index in reached.indices.dropLast().reversed() { reached[index] &+= reached[index + 1] }
        guard reached.count < funnel.steps.count else { return reached }
        return funnel.steps.indices.map { step in
            let rank = funnel.rank(before: step)
            return funnel.steps[step].isOptional ? Int(extras.optionalStep(step - rank).met) : reached[rank]
        }
    }

    /// Whether the range has no attempts.
    var isEmpty: Bool { ends.allSatisfy { $0 == 0 } }
}
