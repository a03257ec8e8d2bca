extension FunnelReport {
    /// Makes a report from the summary of a store.
    ///
    /// Of a breakdown with more than 1,000 values, it reports the 1,000 values with the most actors at step 1.
    ///
    /// - Parameters:
    ///   - source: a snapshot of a store, which does not change.
    ///   - funnels: the funnels that the store counts, in its order.
    ///   - names: the names of the funnels to report; `nil` for all. Names that are not among `funnels` are ignored.
    ///   - first: the first entry day, inclusive; `nil` for no bound.
    ///   - last: the last entry day, inclusive; `nil` for no bound.
    /// - Throws: ``DamagedSegment`` where a segment cannot be read, and the errors of the source.
    public static func make(
        from source: some SummarySource,
        funnels: [Funnel],
        names: [String]? = nil,
        from first: Day? = nil,
        to last: Day? = nil
    ) throws -> FunnelReport {
        try make(from: source, funnels: funnels, names: names, from: first, to: last, limits: BreakdownLimits())
    }

    /// Makes a report with other bounds of its breakdowns.
    package static func make(
        from source: some SummarySource,
        funnels: [Funnel],
        names: [String]? = nil,
        from first: Day? = nil,
        to last: Day? = nil,
        limits: BreakdownLimits
    ) throws -> FunnelReport {
        let wanted = names.map { names in
            names.compactMap { name in funnels.firstIndex { $0.name == name } }
        }
        let results = try (wanted ?? Array(funnels.indices)).map { index in
            let range = SummaryRange(first, last)
            let reading = SummaryReading(source: source, funnel: funnels[index], index: index, range: range)
            return try FunnelResult.make(from: reading, limits: limits)
        }
        return FunnelReport(funnels: results, quality: try source.quality())
    }
}

extension FunnelResult {
    fileprivate static func make(
        from reading: SummaryReading<some SummarySource>,
        limits: BreakdownLimits
    ) throws -> FunnelResult {
        let funnel = reading.funnel
        let empty = FunnelTally(stepCount: funnel.steps.count)
        let breakdown = funnel.breakdown == nil ? nil : try reading.breakdown(limits)
        return FunnelResult(
            funnel: funnel,
            from: reading.range.from,
            to: reading.range.to,
            steps: try reading.wholeSteps() ?? FunnelMedians(empty).results(for: funnel.steps),
            breakdown: breakdown?.steps
                .sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .map { BreakdownResult(value: String(decoding: $0.key, as: UTF8.self), steps: $0.value) },
            valuesLeftOut: breakdown?.leftOutCount ?? 0,
            completeFrom: try reading.source.firstCompleteDay(of: funnel.name)
        )
    }
}

/// Reads the segments of a funnel twice: first to count and to find the buckets of the medians, then to find the
/// medians. Where a breakdown has too many values, it reads them before to select values.
private struct SummaryReading<Source: SummarySource> {
    let source: Source
    let funnel: Funnel
    let index: Int
    let range: SummaryRange

    /// The figures of all actors; `nil` where the range has no attempts.
    func wholeSteps() throws -> [StepResult]? {
        let tallies = try tallies(byValue: false, limit: 1) ?? [:]
        return try steps(tallies, byValue: false)[[]]
    }

    /// The figures of each breakdown value with an attempt in the range, and the number of values that are left out.
    func breakdown(_ limits: BreakdownLimits) throws -> (steps: [[UInt8]: [StepResult]], leftOutCount: Int) {
        if let tallies = try tallies(byValue: true, limit: limits.valueCount) {
            return (try steps(tallies, byValue: true), 0)
        }
        var selection = BreakdownSelection(limits)
        while !selection.isComplete {
            try forEachSegment(byValue: true) { value, day, segment in
                selection.add(try range.attemptCount(in: segment, day: day), of: value)
            }
            selection.endPass()
        }
        let tallies = try tallies(of: selection.values)
        return (try steps(tallies, byValue: true), selection.leftOutCount)
    }

    /// The tallies by breakdown value, which is empty for all actors; `nil` where there are more values than `limit`.
    private func tallies(byValue: Bool, limit: Int) throws -> [[UInt8]: FunnelTally]? {
        var tallies: [[UInt8]: FunnelTally] = [:]
        let empty = FunnelTally(stepCount: funnel.steps.count)
        try forEachSegment(byValue: byValue) { value, day, segment in
            guard tallies.count <= limit else { return }
            try tallies[value, default: empty].add(segment, day: day, in: range)
        }
        return tallies.count <= limit ? tallies : nil
    }

    private func tallies(of values: Set<[UInt8]>) throws -> [[UInt8]: FunnelTally] {
        let empty = FunnelTally(stepCount: funnel.steps.count)
        var tallies = Dictionary(uniqueKeysWithValues: values.map { ($0, empty) })
        try forEachSegment(byValue: true) { value, day, segment in
            try tallies[value]?.add(segment, day: day, in: range)
        }
        return tallies
    }

    private func steps(_ tallies: [[UInt8]: FunnelTally], byValue: Bool) throws -> [[UInt8]: [StepResult]] {
        var medians = try tallies.filter { !$0.value.isEmpty }.mapValues(FunnelMedians.init)
        try forEachSegment(byValue: byValue) { value, day, segment in
            try medians[value]?.add(segment, day: day, in: range)
        }
        return try medians.mapValues { try $0.results(for: funnel.steps) }
    }

    private func forEachSegment(
        byValue: Bool,
        _ body: (_ value: [UInt8], _ day: Day, _ segment: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try source.forEachSegment(funnel: index, byValue: byValue, from: range.from, to: range.to) {
            try body($0 ?? [], $1, $2)
        }
    }
}
