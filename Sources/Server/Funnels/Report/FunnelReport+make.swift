extension FunnelReport {
    /// Makes a report from the summary of a store.
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
        let wanted = names.map { names in
            names.compactMap { name in funnels.firstIndex { $0.name == name } }
        }
        let results = try (wanted ?? Array(funnels.indices)).map { index in
            try FunnelResult.make(from: source, funnel: funnels[index], index: index, from: first, to: last)
        }
        return FunnelReport(funnels: results, quality: try source.quality())
    }
}

extension FunnelResult {
    fileprivate static func make(
        from source: some SummarySource,
        funnel: Funnel,
        index: Int,
        from first: Day?,
        to last: Day?
    ) throws -> FunnelResult {
        let reading = SummaryReading(source: source, funnel: funnel, index: index, range: SummaryRange(first, last))
        let everyone = try reading.steps(byValue: false)[[]]
        let breakdown = funnel.breakdown == nil ? nil : try reading.steps(byValue: true)
        return FunnelResult(
            funnel: funnel,
            from: first,
            to: last,
            steps: try everyone ?? FunnelMedians(FunnelTally(stepCount: funnel.steps.count)).results(for: funnel.steps),
            breakdown: breakdown?
                .sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .map { BreakdownResult(value: String(decoding: $0.key, as: UTF8.self), steps: $0.value) },
            completeFrom: try source.firstCompleteDay(of: funnel.name)
        )
    }
}

/// Reads the segments of a funnel twice: first to count and to find the buckets of the medians, then to find the
/// medians.
private struct SummaryReading<Source: SummarySource> {
    let source: Source
    let funnel: Funnel
    let index: Int
    let range: SummaryRange

    /// The figures of each breakdown value with an attempt in the range. The figures of all actors have the empty
    /// value.
    func steps(byValue: Bool) throws -> [[UInt8]: [StepResult]] {
        var tallies: [[UInt8]: FunnelTally] = [:]
        let empty = FunnelTally(stepCount: funnel.steps.count)
        try forEachSegment(byValue) { value, day, segment in
            try tallies[value, default: empty].add(segment, day: day, in: range)
        }
        var medians = try tallies.filter { !$0.value.isEmpty }.mapValues(FunnelMedians.init)
        try forEachSegment(byValue) { value, day, segment in
            try medians[value]?.add(segment, day: day, in: range)
        }
        return try medians.mapValues { try $0.results(for: funnel.steps) }
    }

    private func forEachSegment(
        _ byValue: Bool,
        _ body: (_ value: [UInt8], _ day: Day, _ segment: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try source.forEachSegment(funnel: index, byValue: byValue, from: range.from, to: range.to) {
            try body($0 ?? [], $1, $2)
        }
    }
}
