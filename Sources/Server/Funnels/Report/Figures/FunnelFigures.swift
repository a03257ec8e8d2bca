/// Reads the segments of a ``FunnelTally`` again to find the median times, and combines both into the figures of the
/// steps.
struct FunnelMedians {
    private let ends: [Int64]
    // In the order of SummaryGroup; `nil` for a column without times.
    private var columns: [MedianSearch?] = []

    /// - Throws: ``DamagedSegment`` where the sums of the tally are impossible.
    init(_ tally: FunnelTally) throws(DamagedSegment) {
        ends = tally.ends
        do throws(DamagedBytes) {
            for column in tally.columns { columns.append(try MedianSearch(column)) }
        } catch {
            throw DamagedSegment()
        }
    }

    /// Reads a segment that the tally has added.
    mutating func add(_ segment: UnsafeRawBufferPointer, day: Day, in range: SummaryRange) throws(DamagedSegment) {
        try range.forEachGroup(in: segment, day: day) { (group) throws(DamagedBytes) in
            try SummaryGroup.read(group) { _, _ in
            } columns: { (column, reader) throws(DamagedBytes) in
                guard columns.indices.contains(column) else { throw DamagedBytes() }
                if try columns[column]?.add(&reader) == nil { try TimeColumn.skip(&reader) }
            }
        }
    }

    /// Returns the figures of each step.
    ///
    /// - Throws: ``DamagedSegment`` where a segment does not match its own index.
    func results(for steps: [Step]) throws(DamagedSegment) -> [StepResult] {
        // An actor whose attempt ended at a step has reached all earlier steps too.
        var reached = ends.map(Int.init)
        for index in reached.indices.dropLast().reversed() { reached[index] &+= reached[index + 1] }
        var results: [StepResult] = []
        for (index, step) in steps.enumerated() {
            let fromFirst = try median(SummaryGroup.column(fromFirst:), step: index + 1)
            results.append(
                StepResult(
                    name: step.name,
                    count: reached[index],
                    conversionFromFirst: Ratio(reached[index], of: reached[0]),
                    conversionFromPrevious: Ratio(reached[index], of: reached[max(0, index - 1)]),
                    medianFromFirst: fromFirst,
                    medianFromPrevious: index == 1
                        ? fromFirst : try median(SummaryGroup.column(fromPrevious:), step: index + 1)
                )
            )
        }
        return results
    }

    private func median(_ column: (_ step: Int) -> Int, step: Int) throws(DamagedSegment) -> Int64? {
        guard step > 1 else { return nil }
        do throws(DamagedBytes) {
            return try columns[column(step)]?.median()
        } catch {
            throw DamagedSegment()
        }
    }
}
