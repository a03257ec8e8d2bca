import Events
package import FunnelStore
package import Funnels

/// What a version that kept no sequences has left in a store, and what the next commit makes of it.
package enum OldStore {
    /// Its only partition.
    package static let standing = PartitionProgress(
        partition: 2,
        nextOffset: 9,
        watermark: Timestamp(milliseconds: 5),
        quality: Quality(events: 8, duplicates: 3, late: 2, deadLetters: 1)
    )
    /// Its only install.
    package static let row = StoreFixtures.row("a", 4, "b")

    /// What the next records bring.
    private static let added = Quality(events: 2, completeness: Completeness(expected: 3, missing: 1), unread: 4)

    /// The commit of the next records.
    package static var commit: StoreCommit {
        StoreCommit(
            partitions: [StoreFixtures.advance(2, from: 9, to: 15, watermark: 5, quality: added)],
            installs: [StoreFixtures.write("a", after: 4, "c")],
            summary: []
        )
    }

    /// What the store has taken in then.
    package static var quality: Quality { standing.quality + added }
}
