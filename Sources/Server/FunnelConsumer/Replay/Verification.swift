import FlowEvents
public import Funnels

/// The result of comparing a store with its topic.
public struct Verification: Sendable {
    /// A result that differs between the store and the topic, with its events.
    public struct Difference: Sendable {
        /// The funnel.
        public let funnel: Funnel
        /// The install, with the result of the store (first) and that of the topic (second).
        public let results: InstallDifference
        /// The actor's events in the store that can be part of an attempt of that day, in order.
        public let stored: [MatchedEvent]
        /// The actor's events in the topic that can be part of an attempt of that day, in order.
        public let read: [MatchedEvent]
    }

    /// The number of records that were read.
    public internal(set) var recordCount = 0
    /// The number of installs that were compared.
    public internal(set) var installCount = 0
    /// The number of the store's results that were compared: one for each funnel, actor, breakdown value and day.
    public internal(set) var resultCount = 0
    /// The first day that was compared, if the topic no longer has all events of the days before; `nil` if all were.
    public internal(set) var firstDay: Day?
    /// The number of results that differ.
    public internal(set) var differenceCount = 0
    /// The first differences, up to the verifier's limit.
    public internal(set) var differences: [Difference] = []
    /// The quality counts of the store and of the topic, if they differ. They are compared only if the topic has every
    /// record.
    public internal(set) var quality: (stored: Quality, read: Quality)?
    /// The number of installs that are left out of the comparison of missing events, because the store or the topic does
    /// not count them, see `Completeness.unchecked`: whether it does can depend on the order of arrival.
    public internal(set) var uncheckedInstallCount = 0
    /// What these installs add to the counts of the store and of the topic.
    private(set) var unchecked = (stored: Completeness(), read: Completeness())
    /// The names of the funnels whose reports differ.
    public internal(set) var funnelsWithOtherReports: [String] = []
    /// The names of the other funnels with counts that differ in some range of days. They are compared only if the
    /// topic has every record.
    public internal(set) var funnelsWithOtherCounts: [String] = []

    /// Whether the store has the same counts as the topic.
    public var isEqual: Bool {
        differenceCount == 0 && quality == nil && funnelsWithOtherReports.isEmpty && funnelsWithOtherCounts.isEmpty
    }

    private let limit: Int

    /// - Parameter limit: the number of ``differences`` to keep.
    init(limit: Int) {
        self.limit = limit
    }

    /// Compares one install, and adds what differs.
    mutating func compare(
        _ install: [UInt8],
        stored: InstallContents?,
        read: InstallContents?,
        funnels: [Funnel],
        timeZones: TimeZoneTables
    ) {
        installCount += 1
        compareCompleteness(stored?.completeness ?? Completeness(), read?.completeness ?? Completeness())
        let (storedResults, readResults) = comparable(stored?.results ?? [], read?.results ?? [], funnels)
        resultCount += storedResults.count { result in firstDay.map { $0 <= result.day } ?? true }
        let found = InstallDifference.between(install, storedResults, readResults, from: firstDay)
        differenceCount += found.count
        for difference in found.prefix(limit - differences.count) {
            guard let result = difference.first ?? difference.second else { continue }
            let funnel = funnels[result.funnel]
            let table = timeZones.table(of: funnel)
            differences.append(
                Difference(
                    funnel: funnel,
                    results: difference,
                    stored: (stored?.events ?? []).filter { $0.canBelong(to: result, of: funnel, table) },
                    read: (read?.events ?? []).filter { $0.canBelong(to: result, of: funnel, table) }
                )
            )
        }
    }

    private mutating func compareCompleteness(_ stored: Completeness, _ read: Completeness) {
        guard stored.unchecked + read.unchecked > 0 else { return }
        uncheckedInstallCount += 1
        unchecked.stored += stored
        unchecked.read += read
    }
}

extension Verification {
    /// Returns the results without those of actors that the store knows from before the first compared day, for funnels
    /// that count first entries only: the topic has another first event of them.
    private func comparable(
        _ stored: [InstallResult],
        _ read: [InstallResult],
        _ funnels: [Funnel]
    ) -> ([InstallResult], [InstallResult]) {
        guard let firstDay, funnels.contains(where: { $0.entry == .first }) else { return (stored, read) }
        let known = Set(
            stored.filter { funnels[$0.funnel].entry == .first && $0.day < firstDay }.map { Actor($0) }
        )
        guard !known.isEmpty else { return (stored, read) }
        return (stored.filter { !known.contains(Actor($0)) }, read.filter { !known.contains(Actor($0)) })
    }

    private struct Actor: Hashable {
        let funnel: Int
        let actor: [UInt8]?

        init(_ result: InstallResult) {
            (funnel, actor) = (result.funnel, result.actor)
        }
    }
}

extension MatchedEvent {
    /// Returns whether the event can be part of an attempt of the result's actor and day.
    fileprivate func canBelong(to result: InstallResult, of funnel: Funnel, _ table: TimeZoneTable) -> Bool {
        let start = table.start(of: result.day).milliseconds
        let end = table.end(of: result.day).milliseconds + funnel.windowMilliseconds
        let actor = funnel.count == .sessions ? session : actors[result.funnel]
        let takesPart = steps[result.funnel] | exclusions[result.funnel] != 0 && actor == result.actor
        // An event that tells where an actor went need not be the actor's own, only the session's.
        let tellsNext = isNext[result.funnel] && (funnel.count != .sessions || session == result.actor)
        return (takesPart || tellsNext)
            && time.milliseconds >= start && time.milliseconds < end
    }
}
