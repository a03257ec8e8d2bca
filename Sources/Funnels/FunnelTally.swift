/// Adds up the segments of one funnel, or of one of its breakdown values, over a range of days.
struct FunnelTally {
    private let from: Day?
    private let to: Day?
    // Index k is step k + 1: how many attempts ended there.
    private var ends: [Int64]
    // As SummaryGroup has them.
    private var columns: [TimeDistribution]

    init(stepCount: Int, from: Day?, to: Day?) {
        self.from = from
        self.to = to
        ends = Array(repeating: 0, count: stepCount)
        columns = Array(repeating: TimeDistribution(), count: SummaryGroup.columnCount(depth: stepCount))
    }

    /// Adds a segment of a day that is in the range.
    mutating func add(_ segment: UnsafeRawBufferPointer, day: Day) throws(DamagedSegment) {
        // A gap that reaches into the range means that another of the actor's days is the one that counts.
        let previousLimit = from.map { Int64(day.number) - Int64($0.number) } ?? .max
        let nextLimit = to.map { Int64($0.number) - Int64(day.number) } ?? .max
        try SummarySegment.forEachGroup(in: segment) { gaps in
            (gaps.previous == 0 || Int64(gaps.previous) > previousLimit)
                && (gaps.next == 0 || Int64(gaps.next) > nextLimit)
        } _: { (_, group) throws(DamagedBytes) in
            try SummaryGroup.read(group) { (depth, count) throws(DamagedBytes) in
                // A deeper attempt than the funnel has steps cannot have come from it.
                guard depth <= ends.count else { throw DamagedBytes() }
                ends[depth - 1] &+= count
            } columns: { (column, reader) throws(DamagedBytes) in
                try columns[column].add(&reader)
            }
        }
    }

    /// Whether no actor has an attempt in the range.
    var isEmpty: Bool { ends.allSatisfy { $0 == 0 } }

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
            return try columns[column(step)].median()
        } catch {
            throw DamagedSegment()
        }
    }
}
