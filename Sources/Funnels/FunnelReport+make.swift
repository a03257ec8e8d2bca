extension FunnelReport {
    /// Works out a report from a store's summary.
    ///
    /// - Parameters:
    ///   - source: one unchanging state of a store.
    ///   - funnels: the funnels that the store counts, in its order.
    ///   - names: the funnels that are asked for; `nil` for all. A name that is not among `funnels` is left out.
    ///   - from: the first entry day, included; `nil` is the beginning.
    ///   - to: the last entry day, included; `nil` is the end.
    /// - Throws: ``DamagedSegment``, and what the source throws.
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
        let empty = FunnelTally(stepCount: funnel.steps.count, from: first, to: last)
        var whole = empty
        try source.forEachSegment(funnel: index, byValue: false, from: first, to: last) { _, day, segment in
            try whole.add(segment, day: day)
        }
        var breakdown: [BreakdownResult]?
        if funnel.breakdown != nil {
            var tallies: [[UInt8]: FunnelTally] = [:]
            try source.forEachSegment(funnel: index, byValue: true, from: first, to: last) { value, day, segment in
                try tallies[value ?? [], default: empty].add(segment, day: day)
            }
            breakdown =
                try tallies.filter { !$0.value.isEmpty }
                .sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .map { value, tally in
                    BreakdownResult(
                        value: String(decoding: value, as: UTF8.self),
                        steps: try tally.results(for: funnel.steps)
                    )
                }
        }
        return FunnelResult(
            funnel: funnel,
            from: first,
            to: last,
            steps: try whole.results(for: funnel.steps),
            breakdown: breakdown,
            completeFrom: try source.firstCompleteDay(of: funnel.name)
        )
    }
}
