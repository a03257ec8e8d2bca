import FlowEvents
import FunnelStore
import Funnels

/// Leaves events out of a replay that the store counts as late because older evidence of their installs was gone when their
/// partition was added to the topic.
///
/// A replay removes no evidence, so these events count in it. The store keeps how many they are in each partition, but
/// not which: a second replay finds the events that can be among them, and `LateEventSearch` those that explain the
/// store's results.
final class AddedPartitions {
    /// The number of events that only the store counts as late, by partition.
    private let lateCounts: [Int32: Int64]
    private let funnels: [Funnel]
    private let timeZones: TimeZoneTables
    private let firstDay: Day?
    /// Whether the topic has every record.
    private let isComplete: Bool
    private var leftOutCount: Int64 = 0
    /// The time of the removed evidence of each install in the store.
    private var horizons: [[UInt8]: Timestamp] = [:]
    /// The store's results of each install whose results differ.
    private var differing: [[UInt8]: [InstallResult]] = [:]
    private var candidates: [[UInt8]: [LateEventSearch.Candidate]] = [:]
    /// The events of the installs above that came in other partitions, too.
    private var others: [[UInt8]: Set<EventName>] = [:]
    /// The number of events that can be late, by partition.
    private var possibleCounts: [Int32: Int64] = [:]

    /// - Returns: `nil` if there are no such events, as far as the first replay shows.
    init?(_ audit: any FunnelAudit, _ replay: TopicReplay, _ identity: StoreIdentity) throws {
        funnels = identity.funnels
        timeZones = identity.timeZones
        firstDay = replay.firstComparableDay
        isComplete = replay.isComplete
        let read = Dictionary(uniqueKeysWithValues: try replay.store.progress().map { ($0.partition, $0.quality.late) })
        var counts: [Int32: Int64] = [:]
        for stored in try audit.progress() {
            let count = stored.quality.late - (read[stored.partition] ?? 0)
            if count > 0 { counts[stored.partition] = count }
        }
        // A topic begins with partition 0. If that has more late events, there is another reason: another lateness, or
        // records that the topic has lost.
        let isFirstPartitionLate = counts.removeValue(forKey: 0) != nil
        lateCounts = counts
        if counts.isEmpty || isComplete && isFirstPartitionLate { return nil }
        try compare(audit, replay)
        if !isComplete, differing.isEmpty { return nil }
    }

    /// The number of events that only the store counts as late; 0 if the topic does not have as many that can be. If the
    /// topic has lost records, the number of those that change a result.
    var lateCount: Int64 {
        guard isComplete else { return leftOutCount }
        guard lateCounts.allSatisfy({ $0.value <= possibleCounts[$0.key] ?? 0 }) else { return 0 }
        return lateCounts.values.reduce(0, +)
    }

    private func compare(_ audit: any FunnelAudit, _ replay: TopicReplay) throws {
        var read: [[UInt8]: StoredInstall] = [:]
        try replay.store.withAudit { try $0.forEachInstall { read[$0.install] = $0 } }
        try audit.forEachInstall { row in
            let stored = try InstallContents(row, funnels: funnels)
            guard let other = read[row.install], let horizon = stored.removedBefore else { return }
            horizons[row.install] = horizon
            let found = try InstallContents(other, funnels: funnels).results
            guard !InstallDifference.between(row.install, stored.results, found, from: firstDay).isEmpty else { return }
            differing[row.install] = stored.results
        }
    }

    /// Takes in an event of the second replay that is not late by the order of its partition.
    func add(_ event: EventFields, partition: Int32) {
        let install = Array(event.installID)
        guard let horizon = horizons[install], event.time < horizon else { return }
        let isAdded = lateCounts[partition] != nil
        if isAdded { possibleCounts[partition, default: 0] += 1 }
        guard differing[install] != nil else { return }
        let name = EventName(id: Array(event.id), source: Array(event.source))
        if isAdded {
            candidates[install, default: []].append(.init(name: name, time: event.time, partition: partition))
        } else {
            others[install, default: []].insert(name)
        }
    }

    /// Leaves the events out of the first replay that explain the store's results.
    func leaveOut(of replay: inout TopicReplay) throws {
        let search = LateEventSearch(funnels: funnels, timeZones: timeZones, from: firstDay)
        var leftOut: [[UInt8]: Set<EventName>] = [:]
        for row in try replay.store.installs(Array(candidates.keys), history: .all) {
            guard let results = differing[row.install] else { continue }
            // An event that came in another partition, too, counts.
            let names = others[row.install] ?? []
            let possible = (candidates[row.install] ?? []).filter { !names.contains($0.name) }
            guard let found = try search.names(among: possible, in: row, explaining: results) else { continue }
            leftOut[row.install] = found
            leftOutCount += Int64(found.count)
        }
        try replay.leaveOut(leftOut)
    }
}
