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
    let rules: CountingRules
    let interval: EventInterval
    /// The installs of the portion, by their offsets in the interval.
    let installs: [Int]
    /// Their rows before the settlement.
    let rows: [StoredInstall]
    /// The positions in `installs` of this part's installs.
    let positions: ArraySlice<Int>
    /// Whether the rows have all of their history.
    let hasHistory: Bool
    let horizon: Timestamp?

    /// Computes the changes of this part's installs.
    ///
    /// - Throws: ``DamagedState`` where a row cannot be read.
    package func settled() throws(DamagedState) -> SettledPart {
        var settling = InstallSettling(rules.matcher)
        var part = SettledPart()
        part.settlement.installs.reserveCapacity(positions.count)
        part.rows.reserveCapacity(positions.count)
        for (index, position) in positions.enumerated() {
            if index.isMultiple(of: Self.preloadedCount) {
                let next = positions.dropFirst(index).prefix(Self.preloadedCount)
                settling.preload(next.lazy.map { (rows[$0], InstallTable.Index(installs[$0])) }, interval)
            }
            let row = rows[position]
            let install = InstallTable.Index(installs[position])
            switch try settling.settle(row, interval, install: install, rules, horizon: horizon, &part) {
            case .unchanged: continue
            case .needsHistory:
                // A block is missing.
                if hasHistory { throw DamagedState(row) }
                part.unread.append(position)
            case .changed(let state, let history):
                part.settlement.installs.append(row.write(state, history))
                part.rows.append((position, row.written(state: state, history: history)))
            }
        }
        part.visitedEvidence = settling.visitedEvidence
        return part
    }

    // So few are still in the processor's cache when they are settled.
    private static let preloadedCount = 32
}

/// The result of a ``SettlementPart``.
package struct SettledPart: Sendable {
    /// The changes, without the summary.
    var settlement = Settlement()
    var changes = SummaryChanges()
    /// The changed rows after the settlement, by their positions in the portion.
    var rows: [(position: Int, row: StoredInstall)] = []
    /// The positions of the installs that were not settled, because all of their history is needed.
    var unread: [Int] = []
    var visitedEvidence = 0

    /// Whether no install was settled.
    var isEmpty: Bool { settlement.installs.isEmpty && settlement.quality.isEmpty && unread.isEmpty }

    /// Adds the changes of another part, without its summary.
    mutating func add(_ other: SettledPart) {
        settlement.add(other.settlement)
        rows += other.rows
        unread += other.unread
    }
}

/// The state in an install's row cannot be read: the store is damaged, or another version wrote it.
package struct DamagedState: Error, Sendable, Hashable {
    /// The install, as text.
    package var install: String
}
