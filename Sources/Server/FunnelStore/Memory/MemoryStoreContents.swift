import Funnels

/// What a ``MemoryFunnelStore`` holds, as one value.
struct MemoryStoreContents: Sendable {
    var identity: StoreIdentity?
    var installs: [[UInt8]: StoredInstall] = [:]
    /// The first day for which a funnel has all events, where it does not have every event.
    var firstDays: [String: Day] = [:]
    /// Counts the redefinitions.
    var generation = 0
    // The generation of the funnels that the consumer knows.
    private var openGeneration = 0
    private var partitions: [Int32: PartitionProgress] = [:]
    private var segments: [SummaryKey: [[UInt8]]] = [:]

    var progress: [PartitionProgress] {
        partitions.values.sorted { $0.partition < $1.partition }
    }

    mutating func open(_ identity: StoreIdentity) throws(StoreError) -> [PartitionProgress] {
        if let stored = self.identity { try identity.check(against: stored, in: "the memory store") }
        self.identity = identity
        openGeneration = generation
        return progress
    }

    mutating func apply(_ commit: StoreCommit) throws(StoreError) -> CommitOutcome {
        if let identity, generation != openGeneration {
            openGeneration = generation
            return .redefined(identity: identity, progress: progress)
        }
        guard commit.partitions.allSatisfy({ partitions[$0.partition]?.nextOffset == $0.expectedOffset }) else {
            return .fenced(progress)
        }
        let conflicts = commit.installs.filter { (installs[$0.install]?.version ?? 0) != $0.expectedVersion }
        guard conflicts.isEmpty else {
            return .conflicts(conflicts.map { installs[$0.install] ?? .none($0.install) })
        }
        // What can fail comes first, so that a failure changes nothing.
        try add(commit.summary)
        for advance in commit.partitions { partitions[advance.partition] = advance.applied(to: partitions) }
        for write in commit.installs {
            installs[write.install] = StoredInstall(
                install: write.install,
                version: write.expectedVersion + 1,
                state: write.state
            )
        }
        return .committed
    }

    /// Adds all of the segments, or none.
    mutating func add(_ deltas: [SummaryDelta]) throws(StoreError) {
        var segments = self.segments
        for delta in deltas { try Self.append(delta, to: &segments) }
        self.segments = segments
    }

    mutating func moveSummary(_ moves: [Int: Int]) {
        var moved: [SummaryKey: [[UInt8]]] = [:]
        for (key, bodies) in segments {
            guard let place = moves[key.funnel] else { continue }
            moved[SummaryKey(funnel: place, value: key.value, day: key.day)] = bodies
        }
        segments = moved
    }

    mutating func addCapped(_ count: Int64) {
        // Only the sum over the partitions says anything.
        if let partition = partitions.keys.min() { partitions[partition]?.quality.capped += count }
    }

    mutating func setDuplicates(_ counts: [Int32: Int64]) {
        for (partition, count) in counts { partitions[partition]?.quality.duplicates = count }
    }

    func installs(after install: [UInt8]?, limit: Int) -> [StoredInstall] {
        let rest = installs.keys.filter { key in install.map { $0.lexicographicallyPrecedes(key) } ?? true }
        return rest.sorted { $0.lexicographicallyPrecedes($1) }.prefix(limit).compactMap { installs[$0] }
    }

    mutating func compact(_ rows: [StoredInstall]) {
        // By other funnels something else is past.
        guard generation == openGeneration else { return }
        for row in rows where installs[row.install]?.version == row.version { installs[row.install] = row }
    }

    private static func append(_ delta: SummaryDelta, to segments: inout [SummaryKey: [[UInt8]]]) throws(StoreError) {
        var standing = segments[delta.key] ?? []
        let folded = SummarySegment.foldCount(existing: standing.map(\.count), new: delta.segment.count)
        do throws(DamagedSegment) {
            let merged = try SummarySegment.merged(standing.suffix(folded) + [delta.segment])
            standing.removeLast(folded)
            if !merged.isEmpty { standing.append(merged) }
        } catch {
            throw .unusable("the memory store was given a summary segment that cannot be read")
        }
        segments[delta.key] = standing.isEmpty ? nil : standing
    }
}

extension MemoryStoreContents: SummarySource {
    func quality() -> Quality {
        partitions.values.reduce(into: Quality()) { $0 += $1.quality }
    }

    func firstCompleteDay(of funnel: String) -> Day? { firstDays[funnel] }

    func forEachSegment(
        funnel: Int,
        byValue: Bool,
        from: Day?,
        to: Day?,
        _ body: (_ value: [UInt8]?, _ day: Day, _ segment: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        for (key, segments) in segments where key.funnel == funnel && (key.value != nil) == byValue {
            if let from, key.day < from { continue }
            if let to, key.day > to { continue }
            for segment in segments {
                try segment.withUnsafeBytes { try body(key.value, key.day, $0) }
            }
        }
    }
}

extension PartitionAdvance {
    fileprivate func applied(to partitions: [Int32: PartitionProgress]) -> PartitionProgress {
        PartitionProgress(
            partition: partition,
            nextOffset: nextOffset,
            watermark: watermark,
            quality: (partitions[partition]?.quality ?? Quality()) + quality
        )
    }
}
