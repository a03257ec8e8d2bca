import Funnels

/// A whole ``MemoryFunnelStore`` as it was at one moment.
struct MemoryAudit: FunnelAudit {
    let contents: MemoryStoreContents

    func identity() -> StoreIdentity? { contents.identity }

    func progress() -> [PartitionProgress] { contents.progress }

    func forEachInstall(_ body: (StoredInstall) throws -> Void) throws {
        for row in contents.installs.values { try body(row) }
    }

    func quality() -> Quality { contents.quality() }

    func forEachSegment(
        funnel: Int,
        byValue: Bool,
        from: Day?,
        to: Day?,
        _ body: (_ value: [UInt8]?, _ day: Day, _ segment: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try contents.forEachSegment(funnel: funnel, byValue: byValue, from: from, to: to, body)
    }
}
