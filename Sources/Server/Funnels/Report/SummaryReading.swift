import FlowEvents

/// The ranges of days for which the segments of one funnel are counted in one reading: all days of the report, the
/// buckets of its trend, and the days to compare with.
struct ReportRanges {
    /// The days of the report.
    var whole: SummaryRange
    /// The buckets of the trend, in order and without gaps.
    var buckets: [ClosedRange<Day>] = []
    /// The days to compare with, which end before ``whole`` begins.
    var earlier: ClosedRange<Day>?

    /// The number of ranges: all days are number 0, the days to compare with number 1, and the buckets follow.
    var count: Int { 2 + buckets.count }

    /// The days to read.
    var reading: SummaryRange { SummaryRange(earlier?.lowerBound ?? whole.from, whole.to) }

    /// Calls `body` with each range that contains a day, and its number.
    func forEach(containing day: Day, _ body: (_ number: Int, _ range: SummaryRange) throws -> Void) rethrows {
        if let earlier, earlier.contains(day) {
            return try body(1, SummaryRange(earlier.lowerBound, earlier.upperBound))
        }
        try body(0, whole)
        // The first bucket that does not end before the day.
        let index = buckets.partitioningIndex { $0.upperBound >= day }
        guard index < buckets.count, buckets[index].contains(day) else { return }
        try body(2 + index, SummaryRange(buckets[index].lowerBound, buckets[index].upperBound))
    }
}

/// Reads the segments of a funnel twice: first to count and to find the buckets of the times, then to find the times.
/// Where a breakdown has too many values, it reads them before to select values.
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
        var tallies = Array(repeating: FunnelTally(funnel), count: ranges.count)
        try forEachSegment(byValue: false, ranges.reading) { _, day, segment in
            try ranges.forEach(containing: day) { number, range in
                try tallies[number].add(segment, day: day, in: range)
            }
        }
        // Only the counts of the days to compare with are reported.
        var figures = try tallies.indices.map { number in
            number == 1 ? nil : try FunnelFigures(tallies[number], hasTimes: hasTimes && number == 0)
        }
        if figures.count > 2 || !tallies[0].isEmpty {
            try forEachSegment(byValue: false, ranges.whole) { _, day, segment in
                try ranges.forEach(containing: day) { number, range in
                    try figures[number]?.add(segment, day: day, in: range)
                }
            }
        }
        let results = try figures.map { try $0?.results(for: funnel) ?? [] }
        return Whole(
            steps: results[0],
            earlierCounts: try tallies[1].counts(),
            buckets: Array(results.dropFirst(2)),
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
            try forEachSegment(byValue: true, ranges.whole) { value, day, segment in
                selection.add(try ranges.whole.attemptCount(in: segment, day: day), of: value)
            }
            selection.endPass()
        }
        return selection
    }

    /// What is counted of all actors, without the times.
    func wholeTally() throws -> FunnelTally {
        var tally = FunnelTally(funnel)
        try forEachSegment(byValue: false, ranges.whole) { _, day, segment in
            try tally.add(segment, day: day, in: ranges.whole)
        }
        return tally
    }

    /// What is counted of the breakdown values with the most actors, and the number of the actors of all values. An actor
    /// counts under each of its values.
    func valueTallies(_ limits: BreakdownLimits) throws -> (tallies: [[UInt8]: FunnelTally], actors: Int) {
        var actors: Int64 = 0
        try forEachSegment(byValue: true, ranges.whole) { _, day, segment in
            actors &+= try ranges.whole.attemptCount(in: segment, day: day)
        }
        guard FunnelTally.possibleCounts.contains(Int(actors)) else { throw DamagedSegment() }
        if let tallies = try tallies(limit: limits.valueCount) { return (tallies, Int(actors)) }
        return (try tallies(of: try selection(limits).values), Int(actors))
    }

    /// The tallies by breakdown value; `nil` where there are more values than `limit`.
    private func tallies(limit: Int) throws -> [[UInt8]: FunnelTally]? {
        var tallies: [[UInt8]: FunnelTally] = [:]
        let empty = FunnelTally(funnel)
        try forEachSegment(byValue: true, ranges.whole) { value, day, segment in
            guard tallies.count <= limit else { return }
            try tallies[value, default: empty].add(segment, day: day, in: ranges.whole)
        }
        return tallies.count <= limit ? tallies : nil
    }

    private func tallies(of values: Set<[UInt8]>) throws -> [[UInt8]: FunnelTally] {
        let empty = FunnelTally(funnel)
        var tallies = Dictionary(uniqueKeysWithValues: values.map { ($0, empty) })
        try forEachSegment(byValue: true, ranges.whole) { value, day, segment in
            try tallies[value]?.add(segment, day: day, in: ranges.whole)
        }
        return tallies
    }

    private func steps(_ tallies: [[UInt8]: FunnelTally]) throws -> [[UInt8]: [StepResult]] {
        var figures = try tallies.filter { !$0.value.isEmpty }
            .mapValues { try FunnelFigures($0, hasTimes: hasTimes) }
        try forEachSegment(byValue: true, ranges.whole) { value, day, segment in
            try figures[value]?.add(segment, day: day, in: ranges.whole)
        }
        return try figures.mapValues { try $0.results(for: funnel) }
    }

    private func forEachSegment(
        byValue: Bool,
        _ range: SummaryRange,
        _ body: (_ value: [UInt8], _ day: Day, _ segment: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try source.forEachSegment(funnel: index, byValue: byValue, from: range.from, to: range.to) {
            try body($0 ?? [], $1, $2)
        }
    }
}
