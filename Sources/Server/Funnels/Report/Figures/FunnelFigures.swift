/// Reads the segments of a ``FunnelTally`` again to find the times, and combines both into the figures of the steps.
struct FunnelFigures {
    private let tally: FunnelTally
    private let hasTimes: Bool
    // In the order of SummaryGroup.
    private var columns: [TimeSearch] = []

    /// - Parameter hasTimes: whether to find the distribution of the times; otherwise, only their medians.
    /// - Throws: ``DamagedSummary`` where the sums of the tally are impossible.
    init(_ tally: FunnelTally, hasTimes: Bool) throws(DamagedSummary) {
        self.tally = tally
        self.hasTimes = hasTimes
        let percents = hasTimes ? TimeDistribution.percents.map(Int64.init) : [50]
        let bounds = hasTimes ? TimeDistribution.bounds : []
        do throws(DamagedBytes) {
            for column in tally.columns {
                columns.append(try TimeSearch(column, percents: percents, bounds: bounds))
            }
        } catch {
            throw DamagedSummary()
        }
    }

    /// Reads a segment that the tally has added.
    mutating func add(_ segment: UnsafeRawBufferPointer, day: Day, in range: DayRange) throws(DamagedSummary) {
        try range.forEachGroup(in: segment, day: day) { (group) throws(DamagedBytes) in
            try SummaryGroup.read(group) { (column, reader) throws(DamagedBytes) in
                guard columns.indices.contains(column) else { throw DamagedBytes() }
                try columns[column].add(&reader)
            }
        }
    }

    /// Returns the figures of each step.
    ///
    /// - Throws: ``DamagedSummary`` where the segments do not match the counts, or their own index.
    func results(for funnel: Funnel) throws(DamagedSummary) -> [StepResult] {
        let counts = try tally.counts()
        do throws(DamagedBytes) {
            var results: [StepResult] = []
            for index in funnel.steps.indices {
                var result = StepResult(index, of: funnel, counts: counts, tally)
                if index > 0 {
                    // Each attempt that met the step has one time.
                    let timeCount = columns[SummaryGroup.column(fromFirst: index)].count
                    guard timeCount == Int64(counts[index]) else { throw DamagedBytes() }
                    let isBehindFirst = funnel.previousRequired(index) == 0
                    try addTimes(
                        to: &result,
                        columns[SummaryGroup.column(fromFirst: index)],
                        isBehindFirst ? nil : columns[SummaryGroup.column(fromPrevious: index)]
                    )
                }
                results.append(result)
            }
            return results
        } catch {
            throw DamagedSummary()
        }
    }

    /// - Parameter fromPrevious: `nil` where it is the same column as from the first step.
    private func addTimes(
        to result: inout StepResult,
        _ fromFirst: TimeSearch,
        _ fromPrevious: TimeSearch?
    ) throws(DamagedBytes) {
        guard hasTimes else {
            result.medianFromFirst = try fromFirst.time(atPercent: 50)
            result.medianFromPrevious = try fromPrevious?.time(atPercent: 50) ?? result.medianFromFirst
            return
        }
        let first = try TimeDistribution(fromFirst)
        var times = StepTimes(fromFirst: first, fromPrevious: first)
        if let fromPrevious { times.fromPrevious = try TimeDistribution(fromPrevious) }
        result.medianFromFirst = times.fromFirst.percentile(50)
        result.medianFromPrevious = times.fromPrevious.percentile(50)
        result.times = times
    }
}
