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
    private let rules: InstallRules
    private var stored: InstallState
    private var counted: InstallState
    private var merged: InstallState
    // For each new funnel, its index in the stored row, or in the counted row.
    private let storedFunnels: [Int?]
    private let countedFunnels: [Int?]
    private let isTopicComplete: Bool
    private var keptChanges = SummaryChanges()
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
        isTopicComplete: Bool = false,
        bounds: FunnelBounds = FunnelBounds(),
        timeZones: TimeZoneTables = TimeZoneTables()
    ) {
        self.isTopicComplete = isTopicComplete
        rules = InstallRules(funnels: plan.funnels, bounds: bounds, timeZones: timeZones)
        stored = InstallState(SignatureLayout(plan.previous))
        counted = InstallState(rules.layout)
        merged = InstallState(rules.layout)
        storedFunnels = plan.sources.map { if case .kept(let funnel) = $0 { funnel } else { nil } }
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
            try stored.decode(storedRow ?? empty, CatalogView(storedRow?.history ?? []))
            try counted.decode(countedRow ?? empty, CatalogView(countedRow?.history ?? []))
        } catch {
            throw DamagedState(empty)
        }
        if let storedRow, stored.isCapped {
            guard isTopicComplete, !counted.isCapped else {
                keptCapped.append(install)
                return storedRow
            }
            return uncapped(storedRow)
        }
        var row = storedRow ?? empty
        merged.removeAll()
        // Received sequence numbers do not depend on the funnels, and the store has counted them already.
        merged.sequences = stored.sequences
        let kept = merged.evidence(of: stored, funnels: storedFunnels)
        let rebuilt = merged.evidence(of: counted, funnels: countedFunnels)
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
        return withMergedState(row)
    }

    /// The row of a capped install that does not have too many events for the new funnels: all of it is from the topic.
    private mutating func uncapped(_ storedRow: StoredInstall) -> StoredInstall {
        let all = rules.funnels.indices.map(Optional.some)
        merged.removeAll()
        merged.sequences = stored.sequences
        merged.evidence = merged.evidence(of: counted, funnels: all)
        merged.appendResults(of: counted, funnels: all)
        merged.results.sort { $0.precedes($1) }
        let kept = merged.results.filter { countedFunnels[$0.owner.funnel] == nil }
        keptChanges.replace([], by: kept[...], of: merged)
        cappedCount -= 1
        return withMergedState(storedRow)
    }

    private mutating func withMergedState(_ row: StoredInstall) -> StoredInstall {
        var row = row
        _ = merged.archive(rules, number: 1)
        (row.state, row.history) = (merged.encoded(), merged.history(rules.shape))
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
    /// The events of another state that match the funnels taken from it, with indices into this state's tables.
    ///
    /// - Parameter funnels: for each funnel of this state, its index in the other state; `nil` where it is not taken.
    fileprivate mutating func evidence(of other: InstallState, funnels: [Int?]) -> [Evidence] {
        // The other state's signatures in this state; nil where they match no funnel that is taken.
        var newSignatures: [SignatureTable.Index?] = []
        for signature in (0..<other.signatures.count).lazy.map(SignatureTable.Index.init) {
            var isPart = false
            for (funnel, source) in funnels.enumerated() {
                match.set(
                    funnel: funnel,
                    of: signatures.layout,
                    to: signature,
                    of: other.signatures,
                    funnel: source,
                    texts: other.strings,
                    into: &strings
                )
                if let source, other.signatures.takesPart(signature, funnel: source) { isPart = true }
            }
            newSignatures.append(isPart ? signatures.intern(match) : nil)
        }
        return other.evidence.compactMap { event in
            guard let signature = newSignatures[event.signature.offset] else { return nil }
            var event = event
            event.signature = signature
            event.source = strings.intern(event.source, of: other.strings)
            event.session = event.session.map { strings.intern($0, of: other.strings) }
            event.id = idTexts.id(event.id, of: other.idTexts)
            return event
        }
    }

    /// Sets the evidence to the union of two ordered arrays. An event of both matches the steps that it matches in
    /// either.
    ///
    /// Two events with the same id but different content stay two events, each for the funnels that it came from.
    fileprivate mutating func unite(_ first: [Evidence], _ second: [Evidence]) {
        evidence.reserveCapacity(first.count + second.count)
        var rest = second[...]
        for event in first {
            while let next = rest.first, precedes(next, event) {
                evidence.append(next)
                rest.removeFirst()
            }
            var event = event
            if let next = rest.first, !precedes(event, next), next.session == event.session {
                rest.removeFirst()
                event.signature = unitedSignature(event.signature, next.signature)
            }
            evidence.append(event)
        }
        evidence += rest
    }

    private mutating func unitedSignature(
        _ first: SignatureTable.Index,
        _ second: SignatureTable.Index
    ) -> SignatureTable.Index {
        let texts = strings
        for funnel in 0..<signatures.funnelCount {
            // Each funnel is taken from one of the rows, so the other row has no step and no value of it.
            let source = signatures.takesPart(first, funnel: funnel) ? first : second
            match.set(
                funnel: funnel,
                of: signatures.layout,
                to: source,
                of: signatures,
                funnel: funnel,
                texts: texts,
                into: &strings
            )
        }
        return signatures.intern(match)
    }

    fileprivate mutating func appendResults(of other: InstallState, funnels: [Int?]) {
        var newFunnels: [Int: Int] = [:]
        for (funnel, source) in funnels.enumerated() {
            if let source { newFunnels[source] = funnel }
        }
        for best in other.joinedResults {
            guard let funnel = newFunnels[best.owner.funnel] else { continue }
            let owner = DayBest.Owner(
                funnel: funnel,
                actor: best.owner.actor.map { strings.intern($0, of: other.strings) },
                value: best.owner.value.map { strings.intern($0, of: other.strings) }
            )
            let amounts = other.details.amounts(of: best).map { amount in
                amount.mapUnit { strings.intern($0, of: other.strings) }
            }
            results.append(
                DayBest(
                    owner: owner,
                    day: best.day,
                    depth: best.depth,
                    times: other.details.times(of: best),
                    ending: best.ending,
                    amounts: amounts,
                    isOutOfOrder: best.isOutOfOrder,
                    in: &details
                )
            )
        }
    }
}
