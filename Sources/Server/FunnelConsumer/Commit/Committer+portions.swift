import FunnelStore
import Funnels

extension Committer {
    /// Commits an interval in portions: each is settled on other threads while the one before is written.
    ///
    /// After that the settler's cache has the new rows. So if nothing was committed, the caller replaces the settler.
    mutating func commitInPortions(
        _ interval: EventInterval,
        _ advances: [PartitionAdvance],
        to store: any PortionedStore
    ) throws -> CommitOutcome {
        var partitions = advances
        let outcome = try store.commit(moving: advances) { rows in
            var totals = SettlementTotals()
            var settled: PortionSettlement?
            for installs in interval.portions(of: max(1, installsAtOnce / 2)) {
                var portion = settler.portion(of: interval, installs)
                portion.load(try self.rows(portion.unloadedInstalls()) { try rows.installs($0, history: .catalog) })
                let parts = PartsInWork(portion.parts(Self.partsOfPortion))
                if let settled, try !write(settled, to: rows, &totals) { return nil }
                portion.combine(try parts.settled())
                try settleWithHistories(&portion, of: rows)
                settled = portion
            }
            if let settled, try !write(settled, to: rows, &totals) { return nil }
            let commit = commit(advances, quality: totals.quality, summary: totals.summary())
            partitions = commit.partitions
            return commit
        }
        if outcome == .committed { metrics.recordCommitted(partitions) }
        return outcome
    }

    // Most machines have fewer processors for it. A thread that begins late leaves some parts to the others.
    private static let partsOfPortion = 4

    private func settleWithHistories(_ portion: inout PortionSettlement, of rows: any RowTransaction) throws {
        while true {
            let unread = portion.unreadHistories()
            if unread.isEmpty { return }
            portion.load(try rows.installs(unread, history: .all))
            portion.combine(try PartsInWork(portion.parts(Self.partsOfPortion)).settled())
        }
    }

    /// - Returns: whether all rows had the expected versions.
    private mutating func write(
        _ portion: PortionSettlement,
        to rows: any RowTransaction,
        _ totals: inout SettlementTotals
    ) throws -> Bool {
        guard try rows.write(portion.writes) else { return false }
        settler.confirm(portion)
        totals.add(portion)
        return true
    }
}
