extension FunnelReport {
    /// Makes a report from the summary of a store.
    ///
    /// Of a breakdown with more than 1,000 values, it reports the 1,000 values with the most actors at step 1.
    ///
    /// ```swift
    /// let request = ReportRequest(days: .between(first, last), trend: .day)
    /// let report = try FunnelReport.make(from: source, funnels: funnels, request)
    /// ```
    ///
    /// - Parameters:
    ///   - source: a snapshot of a store, which does not change.
    ///   - funnels: the funnels that the store counts, in its order.
    ///   - request: what the report is asked for; by default the figures of all funnels and days.
    /// - Throws: ``ReportRequestError`` where the report cannot be made as it is asked for, ``DamagedSummary`` where a
    ///   segment cannot be read, and the errors of the source.
    public static func make(
        from source: some SummarySource,
        funnels: [Funnel],
        _ request: ReportRequest = ReportRequest()
    ) throws -> FunnelReport {
        try request.check()
        let topic = try source.topicProgress()
        let timeZones = try source.timeZones(of: funnels)
        let wanted = request.funnels.map { names in
            names.compactMap { name in funnels.firstIndex { $0.name == name } }
        }
        let results = try (wanted ?? Array(funnels.indices)).map { index in
            let funnel = funnels[index]
            let table = timeZones.table(of: funnel)
            func states(_ topic: TopicProgress) throws -> DayStates {
                try DayStates(topic, window: funnel.windowMilliseconds, table) { day in
                    try source.entryDays(funnel: index, in: DayRange(day?.advanced(by: 1), nil))?.upperBound
                }
            }
            let states =
                try source.parts.isEmpty
                ? states(topic)
                : DayStates(joining: source.parts.map { ($0.name, try states($0.source.topicProgress())) })
            let days = try ReportedDays(request, states) {
                let last = topic.greatestWatermark.map(table.day)
                return try source.entryDays(funnel: index, in: DayRange(nil, last))?.upperBound
            }
            return try FunnelResult.make(from: source, funnel, index, request, states, days)
        }
        return FunnelReport(funnels: results, quality: try source.quality())
    }
}

extension FunnelResult {
    fileprivate static func make<Source: SummarySource>(
        from source: Source,
        _ funnel: Funnel,
        _ index: Int,
        _ request: ReportRequest,
        _ states: DayStates,
        _ days: ReportedDays
    ) throws -> FunnelResult {
        var ranges = ReportRanges(whole: DayRange(days.from, days.to))
        if let interval = request.trend {
            ranges.buckets = try buckets(interval, of: days, source, funnel, index)
        }
        if request.isCompared { ranges.earlier = days.earlier }
        let nobody = try FunnelFigures(FunnelTally(funnel), hasTimes: request.hasTimes)
        var result = FunnelResult(
            funnel: funnel,
            from: days.from,
            to: days.to,
            states: states,
            steps: try nobody.results(for: funnel),
            breakdown: funnel.breakdown == nil ? nil : [],
            completeFrom: try source.firstCompleteDay(of: funnel.name)
        )
        result.hasNoDays = days.isEmpty
        if funnel.timeZone != .utc { result.timeZone = funnel.timeZone.name }
        if funnel.entry == .first { result.firstKnownFrom = try source.firstKnownDay(of: funnel.name) }
        if request.trend != nil { result.trend = [] }
        if request.hasTimes { result.entries = EntryCounts(funnel, OutcomeCounts()) }
        let reading = SummaryReading(
            source: source,
            funnel: funnel,
            index: index,
            ranges: ranges,
            hasTimes: request.hasTimes
        )
        if let experiment = funnel.experiment {
            result.experiment = try self.experiment(experiment, reading, days, states, request.limits)
        }
        return days.isEmpty ? result : try result.filled(from: reading, request.limits)
    }

    /// Compares the variants on the settled days of a report.
    private static func experiment<Source: SummarySource>(
        _ experiment: Experiment,
        _ reading: SummaryReading<Source>,
        _ days: ReportedDays,
        _ states: DayStates,
        _ limits: BreakdownLimits
    ) throws -> ExperimentResult {
        let funnel = reading.funnel
        let nothing = ExperimentResult(experiment, of: funnel, days: nil, actors: 0, variantActors: 0, [])
        guard !days.isEmpty, let settled = states.settledTo else { return nothing }
        let last = days.to.map { min($0, settled) } ?? settled
        guard let bounds = try reading.source.entryDays(funnel: reading.index, in: DayRange(days.from, last)) else {
            return nothing
        }
        let from = days.from ?? bounds.lowerBound
        guard from <= last else { return nothing }
        let settledReading = SummaryReading(
            source: reading.source,
            funnel: funnel,
            index: reading.index,
            ranges: ReportRanges(whole: DayRange(from, last)),
            hasTimes: false
        )
        let (tallies, actors) = try settledReading.valueTallies(limits)
        return ExperimentResult(
            experiment,
            of: funnel,
            days: (from, last),
            actors: try settledReading.counts(in: settledReading.ranges.whole)[0],
            variantActors: actors,
            try tallies.map { value, tally in
                ExperimentResult.Tally(
                    value: funnel.breakdownValue(value).texts[0],
                    counts: try tally.counts(),
                    details: tally.details
                )
            }
        )
    }

    private func filled(
        from reading: SummaryReading<some SummarySource>,
        _ limits: BreakdownLimits
    ) throws -> FunnelResult {
        var result = self
        let whole = try reading.whole()
        result.steps = whole.steps
        result.entries = whole.entries
        if trend != nil {
            result.trend = zip(reading.ranges.buckets, whole.buckets).map { days, steps in
                TrendBucket(
                    from: days.lowerBound,
                    to: days.upperBound,
                    state: states.state(of: days.upperBound),
                    steps: steps
                )
            }
        }
        if let days = reading.ranges.earlier {
            result.comparison = FunnelComparison(
                from: days.lowerBound,
                to: days.upperBound,
                steps: StepComparison.compare(whole.steps.map(\.count), with: whole.earlierCounts)
            )
        }
        guard breakdown != nil else { return result }
        let values = try reading.breakdown(limits)
        result.breakdown = values.steps
            .map { BreakdownResult(value: funnel.breakdownValue($0.key), steps: $0.value) }
            .sorted { $0.value < $1.value }
        result.valuesLeftOut = values.leftOutCount
        return result
    }

    private static func buckets(
        _ interval: TrendInterval,
        of days: ReportedDays,
        _ source: some SummarySource,
        _ funnel: Funnel,
        _ index: Int
    ) throws -> [ClosedRange<Day>] {
        guard !days.isEmpty else { return [] }
        var (first, last) = (days.from, days.to)
        if first == nil || last == nil {
            guard let bounds = try source.entryDays(funnel: index, in: DayRange(first, last)) else { return [] }
            (first, last) = (first ?? bounds.lowerBound, last ?? bounds.upperBound)
        }
        guard let first, let last, first <= last else { return [] }
        let count = interval.bucketCount(from: first, to: last)
        guard count <= TrendInterval.maximumBucketCount else {
            throw ReportRequestError.tooManyBuckets(funnel: funnel.name, interval: interval, count: count)
        }
        return interval.buckets(from: first, to: last)
    }
}
