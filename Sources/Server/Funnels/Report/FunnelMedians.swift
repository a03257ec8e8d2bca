/// Reads the segments that a ``FunnelTally`` has added up once more, for the median times, and says what both found.
struct FunnelMedians {
    private let ends: [Int64]
    // In the order of SummaryGroup; `nil` where there are no times.
    private var columns: [MedianSearch?] = []

    /// - Throws: ``DamagedSegment`` where the tally's segments say what cannot be.
    init(_ tally: FunnelTally) throws(DamagedSegment) {
        ends = tally.ends
        do throws(DamagedBytes) {
            for column in tally.columns { columns.append(try MedianSearch(column)) }
        } catch {
            throw DamagedSegment()
        }
    }

    /// Adds a segment that the tally has added.
    mutating func add(_ segment: UnsafeRawBufferPointer, day: Day, in range: SummaryRange) throws(DamagedSegment) {
        try range.forEachGroup(in: segment, day: day) { (group) throws(DamagedBytes) in
            try SummaryGroup.read(group) { _, _ in
            } columns: { (column, reader) throws(DamagedBytes) in
                guard columns.indices.contains(column) else { throw DamagedBytes() }
                if try columns[column]?.add(&reader) == nil { try TimeColumn.skip(&reader) }
            }
        }
    }

    /// The figures of each step, named by `steps`.
    ///
    /// - Throws: ``DamagedSegment`` where a segment does not hold what its beginning said.
    func results(for steps: [Step]) throws(DamagedSegment) -> [StepResult] {
        // An actor whose attempt got to a step has reached all the steps before it.
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
