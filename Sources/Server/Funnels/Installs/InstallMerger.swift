import FlowEvents

/// Merges the rows of an install when a rebuild changes the funnels of a store.
///
/// The new row has the results and evidence of kept funnels from the store's row, and those of rebuilt funnels from
/// the row that was counted from the topic. A kept funnel does not change. Both rows must belong to the same offsets.
///
/// An install that has too many events belongs to no funnel. Where it has them for the new funnels only, it leaves the kept
/// funnels. Where it had them for the previous funnels only and the topic has every record, it comes back to all funnels:
/// so it is as if there had only been the new ones.
///
/// It belongs to one thread and reuses its memory for one install after another.
package struct InstallMerger {
    private let rules: CountingRules
    private var stored: InstallState
    private var counted: InstallState
    private var merged: InstallState
    // For each new funnel, its index in the stored row, or in the counted row.
    private let storedFunnels: [Int?]
    private let countedFunnels: [Int?]
    private let isTopicComplete: Bool
    private let storedRenaming: ContentRenaming
    private let countedRenaming: ContentRenaming
    private var keptChanges: SummaryChanges
    /// The installs that were capped in the store before, and stay capped.
    package private(set) var keptCapped: [[UInt8]] = []
    /// How many installs more are capped than before. It is negative where more installs come back than leave.
    package private(set) var cappedCount: Int64 = 0

    /// Creates a merger.
    ///
    /// - Parameters:
    ///   - plan: the change of the funnels. The counted rows are of the plan's funnels.
    ///   - isTopicComplete: whether the counted rows are of every record that was ever in the topic.
    ///   - bounds: the sizes in which the merged rows are stored.
    package init(
        _ plan: FunnelRebuildPlan,
        isTopicComplete: Bool,
        bounds: FunnelBounds = FunnelBounds(),
        timeZones: TimeZoneTables
    ) {
        self.isTopicComplete = isTopicComplete
        rules = CountingRules(funnels: plan.funnels, bounds: bounds, timeZones: timeZones)
        stored = InstallState(FunnelMatcher(funnels: plan.previous))
        counted = InstallState(rules.matcher)
        merged = InstallState(rules.matcher)
        storedFunnels = plan.sources.map { if case .kept(let funnel) = $0 { funnel } else { nil } }
        storedRenaming = ContentRenaming(from: stored.contents.matcher, to: rules.matcher, funnels: storedFunnels)
        countedRenaming = ContentRenaming(from: rules.matcher, to: rules.matcher, funnels: Array(plan.funnels.indices))
        keptChanges = SummaryChanges(rules.kernel)
        countedFunnels = plan.sources.enumerated().map { $1 == .counted ? $0 : nil }
    }

    /// Merges two rows of an install.
    ///
    /// - Parameters:
    ///   - install: the `install_id`.
    ///   - stored: the row in the store with all of its history; `nil` where the store has no row.
    ///   - counted: the row that was counted from the topic with all of its history; `nil` where the topic has no events
    ///     of the install.
    /// - Returns: the new row with all of its history and the version of the stored row, 0 where there is none; `nil`
    ///   where the store has no row and needs none.
    /// - Throws: ``DamagedState`` where a row cannot be read.
    package mutating func merge(
        _ install: [UInt8],
        stored storedRow: StoredInstall?,
        counted countedRow: StoredInstall?
    ) throws(DamagedState) -> StoredInstall? {
        let empty = StoredInstall(install: install, version: 0, state: [])
        do throws(DamagedBytes) {
            try stored.decode(storedRow ?? empty)
            try counted.decode(countedRow ?? empty)
        } catch {
            throw DamagedState(empty)
        }
        if let storedRow, stored.isCapped {
            guard isTopicComplete, !counted.isCapped else {
                keptCapped.append(install)
                return storedRow
            }
            return try uncapped(storedRow)
        }
        var row = storedRow ?? empty
        merged.removeAll()
        // Received sequence numbers do not depend on the funnels, and the store has counted them already.
        merged.sequences = stored.sequences
        let kept = merged.evidence(of: stored, storedRenaming)
        let rebuilt = merged.evidence(of: counted, countedRenaming)
        merged.unite(kept, rebuilt)
        merged.appendResults(of: stored, funnels: storedFunnels)
        merged.results.sort { $0.precedes($1) }
        if counted.isCapped {
            keptChanges.replace(merged.results[...], by: [], of: merged)
            cappedCount += 1
            merged.cap()
            (row.state, row.history) = (merged.encoded(), [])
            return row
        }
        merged.appendResults(of: counted, funnels: countedFunnels)
        merged.results.sort { $0.precedes($1) }
        merged.removed = stored.removed.recounted(topic: counted, row: merged)
        if storedRow == nil, merged.evidence.isEmpty, merged.results.isEmpty { return nil }
        return try withMergedState(row)
    }

    /// The row of a capped install that does not have too many events for the new funnels: all of it is from the topic.
    private mutating func uncapped(_ storedRow: StoredInstall) throws(DamagedState) -> StoredInstall {
        let all = rules.funnels.indices.map(Optional.some)
        merged.removeAll()
        merged.sequences = stored.sequences
        merged.evidence = merged.evidence(of: counted, countedRenaming)
        merged.appendResults(of: counted, funnels: all)
        merged.results.sort { $0.precedes($1) }
        let kept = merged.results.filter { countedFunnels[$0.owner.funnel] == nil }
        keptChanges.replace([], by: kept[...], of: merged)
        cappedCount -= 1
        return try withMergedState(storedRow)
    }

    private mutating func withMergedState(_ row: StoredInstall) throws(DamagedState) -> StoredInstall {
        var row = row
        do throws(DamagedBytes) {
            row.history = try merged.archive(rules, nil)
        } catch {
            throw DamagedState(row)
        }
        row.state = merged.encoded()
        return row
    }

    /// The changes of the kept funnels' summary by the installs that leave them or come back to them, by the new index of
    /// each funnel.
    package func keptSummary() -> [SummaryDelta] { keptChanges.deltas() }
}

extension RemovedEvidence {
    /// The counts of removed events after a rebuild, which may have brought some of them back.
    ///
    /// - Parameters:
    ///   - topic: the state that was counted from the topic.
    ///   - row: the merged state.
    fileprivate func recounted(topic: InstallState, row: InstallState) -> RemovedEvidence {
        guard horizon != nil else { return self }
        func counts(_ state: InstallState) -> [Int32: DayCount] {
            var days: [DayCount] = []
            days.add(state.evidence, of: state)
            return Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0) })
        }
        let (topic, row) = (counts(topic), counts(row))
        // A day without events in the topic keeps its count.
        var result = self
        result.days = Set(topic.keys).union(days.map(\.day)).sorted().compactMap { day in
            guard let counted = topic[day] else { return days.first { $0.day == day } }
            let count = counted.count - (row[day]?.count ?? 0)
            let bytes = max(0, counted.bytes - (row[day]?.bytes ?? 0))
            return count > 0 ? DayCount(day: day, count: count, bytes: bytes) : nil
        }
        return result
    }
}

extension InstallState {
    /// The events of another state that some funnels need, with indices into this state's tables.
    fileprivate mutating func evidence(of other: InstallState, _ renaming: ContentRenaming) -> [Evidence] {
        let contents = (0..<other.contents.count).map {
            self.contents.intern(
                EventContents.Index($0),
                of: other.contents,
                other.strings,
                renaming,
                &scratch,
                into: &strings
            )
        }
        let funnels = self.contents.matcher.funnels
        return other.evidence.compactMap { event in
            guard let content = contents[event.content.offset] else { return nil }
            let isNeeded = funnels.indices.contains { funnel in
                self.contents.match(content, funnel: funnel).isNeeded
                    && (funnels[funnel].count != .sessions || event.session != nil)
            }
            guard isNeeded else { return nil }
            return Evidence(
                time: event.time,
                sequence: event.sequence,
                id: idTexts.id(event.id, of: other.idTexts),
                source: strings.intern(event.source, of: other.strings),
                session: event.session.map { strings.intern($0, of: other.strings) },
                content: content
            )
        }
    }

    /// Sets the evidence to the union of two ordered arrays. Of an event of both, the second one says more.
    ///
    /// Two events with the same id and source but another time stay two events.
    fileprivate mutating func unite(_ first: [Evidence], _ second: [Evidence]) {
        evidence.reserveCapacity(first.count + second.count)
        var rest = second[...]
        for event in first {
            while let next = rest.first, precedes(next, event) {
                evidence.append(next)
                rest.removeFirst()
            }
            if let next = rest.first, !precedes(event, next) { continue }
            evidence.append(event)
        }
        evidence += rest
    }

    fileprivate mutating func appendResults(of other: InstallState, funnels: [Int?]) {
        var newFunnels: [Int: Int] = [:]
        for (funnel, source) in funnels.enumerated() {
            if let source { newFunnels[source] = funnel }
        }
        for best in other.results.counting() {
            guard let funnel = newFunnels[best.owner.funnel] else { continue }
            var own = best
            own.owner = DayOutcome.Owner(
                funnel: funnel,
                actor: best.owner.actor.map { strings.intern($0, of: other.strings) },
                value: best.owner.value.map { strings.intern($0, of: other.strings) }
            )
            own.details = details.end
            details.append(best, of: other.details) { strings.intern($0, of: other.strings) }
            results.append(own)
        }
    }
}
