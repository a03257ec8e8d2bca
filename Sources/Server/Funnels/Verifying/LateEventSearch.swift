package import FlowEvents

/// The name of an event within its install.
package struct EventName: Sendable, Hashable {
    /// The event's `id`, UTF-8.
    package let id: [UInt8]
    /// The event's `source`, UTF-8.
    package let source: [UInt8]

    /// Creates a name from its parts.
    package init(id: [UInt8], source: [UInt8]) {
        self.id = id
        self.source = source
    }
}

/// Finds the events of an install that a store has counted as late because older evidence of the install was gone when
/// their partition was added to the topic.
///
/// A store does not keep which events these were. Of one partition they are all events before a time: the horizon of the
/// install when the partition was added. The search tries each such time of each partition. It has found the events if
/// the results without them are the store's.
package struct LateEventSearch {
    /// An event that may be one of them.
    package struct Candidate: Sendable, Hashable {
        package let name: EventName
        let time: Timestamp
        let partition: Int32

        /// Creates a candidate.
        package init(name: EventName, time: Timestamp, partition: Int32) {
            self.name = name
            self.time = time
            self.partition = partition
        }
    }

    /// More combinations of times are not tried.
    private static let greatestTrialCount = 1_000

    private let rules: CountingRules
    private let firstDay: Day?

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - funnels: the funnels of the store and of the other count.
    ///   - timeZones: the tables of the funnels' time zones.
    ///   - firstDay: the first day to compare; `nil` for all days.
    package init(funnels: [Funnel], timeZones: TimeZoneTables, from firstDay: Day?) {
        rules = CountingRules(funnels: funnels, bounds: FunnelBounds(), timeZones: timeZones)
        self.firstDay = firstDay
    }

    /// Returns the names of the late events; `nil` if late events do not explain the store's results.
    ///
    /// - Parameters:
    ///   - candidates: the events of added partitions that are earlier than the store's removed evidence of the install.
    ///   - row: the install in a count of the topic that has all of its events.
    ///   - results: the store's results of the install.
    /// - Throws: ``DamagedState`` where the row cannot be read.
    package func names(
        among candidates: [Candidate],
        in row: StoredInstall,
        explaining results: [InstallResult]
    ) throws(DamagedState) -> Set<EventName>? {
        let state = try InstallState(row, rules)
        // By partition, the names of equal times together, in order of time.
        let partitions = Dictionary(grouping: candidates, by: \.partition).sorted { $0.key < $1.key }.map { partition in
            Dictionary(grouping: partition.value, by: \.time).sorted { $0.key < $1.key }
                .map { $0.value.map(\.name) }
        }
        // For each partition, the number of its times whose events are late.
        var late = partitions.map(\.count)
        for _ in 0..<Self.greatestTrialCount {
            let names = Set(zip(partitions, late).flatMap { $0.prefix($1).joined() })
            guard !names.isEmpty else { return nil }
            var trial = state
            trial.leaveOut(names, rules)
            let found = InstallContents(trial, funnels: rules.funnels).results
            if InstallDifference.between(row.install, results, found, from: firstDay).isEmpty { return names }
            // The next combination, as a number is counted down.
            guard let index = late.indices.first(where: { late[$0] > 0 }) else { return nil }
            late[index] -= 1
            for lower in 0..<index { late[lower] = partitions[lower].count }
        }
        return nil
    }
}

extension InstallState {
    /// Decodes a row with all of its history.
    fileprivate init(_ row: StoredInstall, _ rules: CountingRules) throws(DamagedState) {
        self.init(rules.matcher)
        do {
            try decode(row, CatalogView(row.history))
        } catch {
            throw DamagedState(row)
        }
    }
}
