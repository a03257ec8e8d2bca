import FlowEvents

/// A share of a settlement's work: some of the interval's installs. What an install becomes depends on no other one, so
/// each part may be settled on a thread of its own.
public struct SettlementPart: Sendable {
    let rules: InstallRules
    let interval: EventInterval
    /// The installs' rows as they were, at their places in the interval.
    let before: ArraySlice<StoredInstall>
    let horizon: Timestamp?

    /// Works out what the interval changes about this part's installs.
    ///
    /// - Throws: ``DamagedState`` where a row cannot be read.
    public func settled() throws(DamagedState) -> SettledPart {
        var settling = InstallSettling(funnelCount: rules.funnels.count)
        var part = SettledPart()
        part.settlement.installs.reserveCapacity(before.count)
        part.after.reserveCapacity(before.count)
        for (place, row) in zip(before.indices, before) {
            let state = try settling.settle(
                row,
                interval,
                place: place,
                rules,
                horizon: horizon,
                &part.settlement,
                &part.changes
            )
            guard let state else {
                part.after.append(row)
                continue
            }
            let write = InstallWrite(install: row.install, expectedVersion: row.version, state: state)
            part.settlement.installs.append(write)
            part.after.append(StoredInstall(install: row.install, version: row.version + 1, state: state))
        }
        part.visitedEvidence = settling.visitedEvidence
        return part
    }
}

/// A ``SettlementPart`` whose work is done.
public struct SettledPart: Sendable {
    /// All but the summary.
    var settlement = Settlement(installs: [], summary: [], duplicates: [:])
    var changes = SummaryChanges()
    /// The installs' rows as they will be.
    var after: [StoredInstall] = []
    var visitedEvidence = 0
}

extension Settlement {
    /// Takes in what another part has changed, but for the summary.
    mutating func add(_ other: Settlement) {
        installs += other.installs
        duplicates.merge(other.duplicates, uniquingKeysWith: +)
        completeness.merge(other.completeness, uniquingKeysWith: +)
        late.merge(other.late, uniquingKeysWith: +)
        capped.merge(other.capped, uniquingKeysWith: +)
    }
}
