import FlowEvents

/// What the settling of a commit interval changes: all that a store has to write, except the offsets.
package struct Settlement: Sendable {
    /// The rows of the installs with new evidence or new sequence numbers.
    package var installs: [InstallWrite] = []
    /// The changes of the summary.
    package var summary: [SummaryDelta] = []
    /// The changes of the quality counts, by partition.
    ///
    /// Settling counts ``Quality/duplicates``, ``Quality/completeness``, ``Quality/capped`` by the partition of an
    /// install's last event, and ``Quality/late`` for the events that came after the evidence needed to judge them was
    /// removed. The last happens only in a partition that was added to the topic: see ``EvidenceHorizon``.
    package var quality: [Int32: Quality] = [:]

    /// Adds the changes of another part, without its summary.
    mutating func add(_ other: Settlement) {
        installs += other.installs
        quality.merge(other.quality, uniquingKeysWith: +)
    }
}

/// A part of the work of a settlement: some of the interval's installs.
///
/// The new state of an install depends on no other install, so each part may be settled on a thread of its own.
package struct SettlementPart: Sendable {
    let rules: InstallRules
    let interval: EventInterval
    /// The installs' rows before the settlement, by their offsets in the interval.
    let before: ArraySlice<StoredInstall>
    let horizon: Timestamp?

    /// Computes the changes of this part's installs.
    ///
    /// - Throws: ``DamagedState`` where a row cannot be read.
    package func settled() throws(DamagedState) -> SettledPart {
        var settling = InstallSettling(funnelCount: rules.funnels.count)
        var part = SettledPart()
        part.settlement.installs.reserveCapacity(before.count)
        part.after.reserveCapacity(before.count)
        for (offset, row) in zip(before.indices, before) {
            let state = try settling.settle(
                row,
                interval,
                install: InstallTable.Index(offset),
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

/// The result of a ``SettlementPart``.
package struct SettledPart: Sendable {
    /// The changes, without the summary.
    var settlement = Settlement()
    var changes = SummaryChanges()
    /// The installs' rows after the settlement.
    var after: [StoredInstall] = []
    var visitedEvidence = 0
}

/// The state in an install's row cannot be read: the store is damaged, or another version wrote it.
package struct DamagedState: Error, Sendable, Hashable {
    /// The install, as text.
    package var install: String
}
