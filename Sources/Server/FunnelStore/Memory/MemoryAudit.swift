import Funnels

/// A whole ``MemoryFunnelStore`` as it was at one moment.
struct MemoryAudit: FunnelAudit {
    let contents: MemoryStoreContents

    var summary: any SummarySource { contents }

    func identity() -> StoreIdentity? { contents.identity }

    func hasAllSequences() -> Bool { true }

    func progress() -> [PartitionProgress] { contents.progress }

    func forEachInstall(known: some Sequence<[UInt8]>, _ body: (StoredInstall) throws -> Void) throws {
        for row in contents.installs.values { try body(row) }
    }
}
