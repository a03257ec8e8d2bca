import FlowEvents

extension InstallState {
    /// Adds arrivals to a state that has the recent evidence only: the short way.
    ///
    /// - Parameter catalog: the catalog of the blocks; `nil` where the install has none.
    /// - Returns: `nil` where all of the history is needed; never without a catalog. The state must not
    ///   be used then.
    mutating func settleRecent(
        _ arrivals: [PendingEvents.Arrival],
        _ catalog: CatalogView?,
        _ rules: CountingRules,
        horizon: Timestamp?
    ) throws(DamagedBytes) -> MatchUpdate? {
        var update = MatchUpdate()
        let arrivals = update.withoutLate(arrivals, horizon: removed.horizon)
        if let catalog, arrivals.contains(where: { mayAffect(catalog, $0.evidence, rules) }) { return nil }
        let added = update.add(arrivals, to: &self)
        if added.isEmpty { return update }
        if let catalog, rules.hasFirstEntries {
            guard try findEntered(rules, catalog) else { return nil }
        }
        if try isAbove(rules, catalog: catalog) {
            guard catalog == nil else { return nil }
            update.cap(results)
            return update
        }
        update.hasChanged = true
        let changes = updateResults(rules, added: added)
        guard try update.replaceRecent(changes, in: &self, catalog) else { return nil }
        if let horizon { prune(rules, horizon: horizon) }
        if archive(rules, number: catalog?.nextNumber ?? 1) {
            guard let rows = try appendedHistory(catalog, rules.shape) else { return nil }
            update.history = rows
        }
        return update
    }

    /// Whether an event can change a result of the blocks, or may be a repeat of an event there.
    private func mayAffect(_ catalog: CatalogView, _ event: Evidence, _ rules: CountingRules) -> Bool {
        if let last = catalog.lastTime, rules.earliestEntry(reaching: event.time) <= last { return true }
        return catalog.mayContain(fingerprint(event))
    }

    /// Adds arrivals to a state that has all evidence: the long way.
    ///
    /// - Parameters:
    ///   - history: the rows of the history.
    ///   - catalog: the catalog in these rows.
    mutating func settleWhole(
        _ arrivals: [PendingEvents.Arrival],
        _ history: [HistoryRow],
        _ catalog: CatalogView,
        _ rules: CountingRules,
        horizon: Timestamp?
    ) throws(DamagedBytes) -> MatchUpdate {
        var update = MatchUpdate()
        let arrivals = update.withoutLate(arrivals, horizon: removed.horizon)
        let added = update.add(arrivals, to: &self)
        if added.isEmpty { return update }
        let old = joinedResults
        if try isAbove(rules, catalog: nil) {
            update.cap(old)
            update.history = history.changes(to: [])
            return update
        }
        update.hasChanged = true
        updateResults(rules, added: added)
        update.replace(old, by: joinedResults)
        if let horizon { prune(rules, horizon: horizon) }
        var number = catalog.nextNumber
        splitBlocks(rules, number: &number)
        _ = archive(rules, number: number)
        update.history = history.changes(to: self.history(rules.shape))
        return update
    }
}
