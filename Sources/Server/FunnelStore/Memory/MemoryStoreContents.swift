import FlowEvents
import Funnels

/// The contents of a ``MemoryFunnelStore``, as one value.
struct MemoryStoreContents: Sendable {
    var storedIdentity: StoreIdentity?
    var installs: [[UInt8]: StoredInstall] = [:]
    /// The first day for which a funnel has all events. A funnel that has every event is not in it.
    var firstDays: [String: Day] = [:]
    /// The first day that was read of a funnel of first entries, where the topic had lost earlier records.
    var firstKnown: [String: Day] = [:]
    var rebuildCount: Int64 = 0
    var horizon: Timestamp?
    private var partitions: [Int32: PartitionProgress] = [:]
    private var segments: [SummaryKey: [[UInt8]]] = [:]
    private var facts: StreamFacts?
    private var timeZones: [String: [UInt8]] = [:]

    mutating func assign(to identity: StoreIdentity) {
        let topicID = identity.topicID ?? storedIdentity?.topicID
        storedIdentity = identity
        storedIdentity?.topicID = topicID
        storedIdentity?.timeZones = TimeZoneTables()
    }

    mutating func apply(_ commit: StoreCommit) throws(DamagedSegment) -> CommitOutcome {
        let areExpected = commit.partitions.allSatisfy {
            partitions[$0.partition]?.nextOffset == $0.expectedOffset && $0.isAllowed(by: horizon)
        }
        guard areExpected else {
            return .fenced(progress())
        }
        let conflicts = commit.installs.filter { (installs[$0.install]?.version ?? 0) != $0.expectedVersion }
        guard conflicts.isEmpty else {
            return .conflicts(conflicts.map { installs[$0.install]?.with(.catalog) ?? .none($0.install) })
        }
        // What can fail comes first, so that a failure changes nothing.
        try add(commit.summary)
        for advance in commit.partitions { partitions[advance.partition] = advance.applied(to: partitions) }
        for write in commit.installs { installs[write.install, default: .none(write.install)].apply(write) }
        if let stream = commit.stream {
            facts = StreamFacts(
                partitionCount: max(stream.partitionCount, facts?.partitionCount ?? .min),
                allowedLateness: max(stream.allowedLateness, facts?.allowedLateness ?? .min)
            )
        }
        firstKnown.merge(commit.firstKnown) { min($0, $1) }
        return .committed
    }

    /// Adds all of the segments, or none.
    mutating func add(_ deltas: [SummaryDelta]) throws(DamagedSegment) {
        var segments = self.segments
        for delta in deltas { try Self.append(delta, to: &segments) }
        self.segments = segments
    }

    mutating func moveSummary(_ moves: [Int: Int]) {
        var moved: [SummaryKey: [[UInt8]]] = [:]
        for (key, bodies) in segments {
            guard let index = moves[key.funnel] else { continue }
            moved[SummaryKey(funnel: index, value: key.value, day: key.day)] = bodies
        }
        segments = moved
    }

    mutating func addCapped(_ count: Int64) {
        // Reports read only the sum over the partitions, so any partition will do.
        if let partition = partitions.keys.min() { partitions[partition]?.quality.capped += count }
    }

    mutating func setDuplicates(_ counts: [Int32: Int64]) {
        for (partition, count) in counts { partitions[partition]?.quality.duplicates = count }
    }

    mutating func compact(_ writes: [InstallWrite]) {
        for write in writes where installs[write.install]?.version == write.expectedVersion {
            installs[write.install]?.apply(write)
        }
    }

    private static func append(
        _ delta: SummaryDelta,
        to segments: inout [SummaryKey: [[UInt8]]]
    ) throws(DamagedSegment) {
        var bodies = segments[delta.key] ?? []
        let folded = SummarySegment.foldCount(existing: bodies.map(\.count), new: delta.segment.count)
        let merged = try SummarySegment.merged(bodies.suffix(folded) + [delta.segment])
        bodies.removeLast(folded)
        if !merged.isEmpty { bodies.append(merged) }
        segments[delta.key] = bodies.isEmpty ? nil : bodies
    }
}

extension MemoryStoreContents: StoreQueries {
    func identity() throws -> StoreIdentity? {
        var identity = storedIdentity
        identity?.timeZones = try keptTimeZones(of: storedIdentity?.funnels ?? [])
        return identity
    }

    func generation() -> Int64? { storedIdentity == nil ? nil : rebuildCount }

    func progress() -> [PartitionProgress] {
        partitions.values.sorted { $0.partition < $1.partition }
    }

    func stream() -> StreamState {
        StreamState(
            partitions: progress(),
            partitionCount: facts?.partitionCount,
            greatestLateness: facts?.allowedLateness,
            horizon: horizon
        )
    }

    func timeZone(_ name: String) -> [UInt8]? { timeZones[name] }

    mutating func setTimeZone(_ name: String, _ transitions: [UInt8]) { timeZones[name] = transitions }

    func installs(after install: [UInt8]?, limit: Int, history: HistoryPart) -> [StoredInstall] {
        let rest = installs.keys.filter { key in install.map { $0.lexicographicallyPrecedes(key) } ?? true }
        return rest.sorted { $0.lexicographicallyPrecedes($1) }.prefix(limit)
            .compactMap { installs[$0]?.with(history) }
    }
}

extension MemoryStoreContents: SummarySource {
    func quality() -> Quality {
        partitions.values.reduce(into: Quality()) { $0 += $1.quality }
    }

    func firstCompleteDay(of funnel: String) -> Day? { firstDays[funnel] }

    func firstKnownDay(of funnel: String) -> Day? { firstKnown[funnel] }

    func timeZones(of funnels: [Funnel]) throws -> TimeZoneTables { try keptTimeZones(of: funnels) }

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
            floor: partitions[partition].map(\.floor) ?? floor,
            watermark: watermark,
            isAtEnd: isAtEnd,
            lastRecord: lastRecord ?? partitions[partition]?.lastRecord,
            quality: (partitions[partition]?.quality ?? Quality()) + quality
        )
    }
}
