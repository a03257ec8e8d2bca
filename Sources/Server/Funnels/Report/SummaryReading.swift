import FlowEvents

/// The ranges of days for which the summary of one funnel is counted: all days of the report, the buckets of its trend, and the
/// days to compare with.
struct ReportRanges {
    /// The days of the report.
    var whole: DayRange
    /// The buckets of the trend, in order and without gaps.
    var buckets: [ClosedRange<Day>] = []
    /// The days to compare with, which end before ``whole`` begins.
    var earlier: ClosedRange<Day>?

    /// All days, number 0, then the buckets.
    var reported: [DayRange] { [whole] + buckets.map { DayRange($0.lowerBound, $0.upperBound) } }

    /// Calls `body` with each of the ``reported`` ranges that contains a day, and its number.
    ///
    /// - Parameter day: one of all days.
    func forEach(containing day: Day, _ body: (_ number: Int, _ range: DayRange) throws -> Void) rethrows {
        try body(0, whole)
        // The first bucket that does not end before the day.
        let index = buckets.partitioningIndex { $0.upperBound >= day }
        guard index < buckets.count, buckets[index].contains(day) else { return }
        try body(1 + index, DayRange(buckets[index].lowerBound, buckets[index].upperBound))
    }
}

/// Reads the counts of a funnel, and its segments twice: first to find the buckets of the times, then to find the times.
/// Where a breakdown has too many values, it reads the counts before to select values.
struct SummaryReading<Source: SummarySource> {
    let source: Source
    let funnel: Funnel
    let index: Int
    let ranges: ReportRanges
    let hasTimes: Bool

    /// The figures of the whole, of the days to compare with, and of the buckets.
    struct Whole {
        var steps: [StepResult]
        var earlierCounts: [Int]
        var buckets: [[StepResult]]
        /// `nil` where the report was not asked for the distribution of the times.
        var entries: EntryCounts?
    }

    /// The figures of all actors.
    func whole() throws -> Whole {
        var tallies = try ranges.reported.map(wholeTally)
        try forEachSegment(byValue: false, ranges.whole) { _, day, segment in
            try ranges.forEach(containing: day) { number, range in
                try tallies[number].add(segment, day: day, in: range)
            }
        }
        var figures = try tallies.enumerated()
            .map { number, tally in
                try FunnelFigures(tally, hasTimes: hasTimes && number == 0)
            }
        if !tallies[0].isEmpty {
            try forEachSegment(byValue: false, ranges.whole) { _, day, segment in
                try ranges.forEach(containing: day) { number, range in
                    try figures[number].add(segment, day: day, in: range)
                }
            }
        }
        let results = try figures.map { try $0.results(for: funnel) }
        return Whole(
            steps: results[0],
            earlierCounts: try ranges.earlier.map { try counts(in: DayRange($0.lowerBound, $0.upperBound)) } ?? [],
            buckets: Array(results.dropFirst()),
            entries: hasTimes ? EntryCounts(funnel, tallies[0].outcomes) : nil
        )
    }

    /// The figures of each breakdown value with an attempt in the range, and the number of values that are left out.
    func breakdown(_ limits: BreakdownLimits) throws -> (steps: [[UInt8]: [StepResult]], leftOutCount: Int) {
        if let tallies = try tallies(limit: limits.valueCount) { return (try steps(tallies), 0) }
        let selection = try selection(limits)
        return (try steps(try tallies(of: selection.values)), selection.leftOutCount)
    }

    private func selection(_ limits: BreakdownLimits) throws -> BreakdownSelection {
        var selection = BreakdownSelection(limits)
        while !selection.isComplete {
            try forEachCount { selection.add($2, of: $0) }
            selection.endPass()
        }
        return selection
    }

    /// The number of actors that reached each step.
    func counts(in range: DayRange) throws -> [Int] { try wholeTally(range).counts() }

    /// The outcomes of all actors.
    private func wholeTally(_ range: DayRange) throws -> FunnelTally {
        var tally = FunnelTally(funnel)
        try source.forEachCount(funnel: index, byValue: false, in: range) { try tally.add($1, $2) }
        return tally
    }

    /// What is counted of the breakdown values with the most actors, and the number of the actors of all values. An actor
    /// counts under each of its values.
    func valueTallies(_ limits: BreakdownLimits) throws -> (tallies: [[UInt8]: FunnelTally], actors: Int) {
        var actors: Int64 = 0
        try forEachCount { actors &+= $2 }
        guard FunnelTally.possibleCounts.contains(Int(actors)) else { throw DamagedSummary() }
        if let tallies = try tallies(limit: limits.valueCount) { return (tallies, Int(actors)) }
        return (try tallies(of: try selection(limits).values), Int(actors))
    }

    /// The tallies by breakdown value; `nil` where there are more values than `limit`.
    private func tallies(limit: Int) throws -> [[UInt8]: FunnelTally]? {
        var tallies: [[UInt8]: FunnelTally] = [:]
        let empty = FunnelTally(funnel)
        try forEachCount { value, outcome, actors in
            guard tallies.count <= limit else { return }
            try tallies[value, default: empty].add(outcome, actors)
        }
        guard tallies.count <= limit else { return nil }
        try addSegments(to: &tallies)
        return tallies
    }

    private func tallies(of values: Set<[UInt8]>) throws -> [[UInt8]: FunnelTally] {
        let empty = FunnelTally(funnel)
        var tallies = Dictionary(uniqueKeysWithValues: values.map { ($0, empty) })
        try forEachCount { try tallies[$0]?.add($1, $2) }
        try addSegments(to: &tallies)
        return tallies
    }

    private func addSegments(to tallies: inout [[UInt8]: FunnelTally]) throws {
        try forEachSegment(byValue: true, ranges.whole) { value, day, segment in
            try tallies[value]?.add(segment, day: day, in: ranges.whole)
        }
    }

    private func steps(_ tallies: [[UInt8]: FunnelTally]) throws -> [[UInt8]: [StepResult]] {
        var figures = try tallies.filter { !$0.value.isEmpty }
            .mapValues { try FunnelFigures($0, hasTimes: hasTimes) }
        try forEachSegment(byValue: true, ranges.whole) { value, day, segment in
            try figures[value]?.add(segment, day: day, in: ranges.whole)
        }
        return try figures.mapValues { try $0.results(for: funnel) }
    }

    /// Calls `body` with the counts of each breakdown value in the days of the report.
    private func forEachCount(
        _ body: (_ value: [UInt8], _ outcome: Outcome, _ actors: Int64) throws -> Void
    ) throws {
        try source.forEachCount(funnel: index, byValue: true, in: ranges.whole) {
            try body($0 ?? [], $1, $2)
        }
    }

    private func forEachSegment(
        byValue: Bool,
        _ range: DayRange,
        _ body: (_ value: [UInt8], _ day: Day, _ segment: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try source.forEachSegment(funnel: index, byValue: byValue, in: range) {
            try body($0 ?? [], $1, $2)
        }
    }
}
