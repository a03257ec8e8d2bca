import FlowEvents
public import Funnels

/// What a comparison of a store with its topic has found.
public struct Verification: Sendable {
    /// A result that the store and the topic disagree about, with the events behind it.
    public struct Difference: Sendable {
        /// The funnel.
        public let funnel: Funnel
        /// The install, and what the store (first) and the topic (second) have.
        public let results: InstallDifference
        /// The events that the store has of the actor which can be part of the day's attempts, in order.
        public let stored: [MatchedEvent]
        /// Those that the topic has.
        public let read: [MatchedEvent]
    }

    /// The records that were read.
    public internal(set) var recordCount = 0
    /// The installs that were compared.
    public internal(set) var installCount = 0
    /// The results of the store that were compared: one for each funnel, actor, breakdown value and day.
    public internal(set) var resultCount = 0
    /// The first day that was compared, because the topic no longer has all events of the days before; `nil` for all.
    public internal(set) var firstDay: Day?
    /// How many results differ.
    public internal(set) var differenceCount = 0
    /// The first of them.
    public internal(set) var differences: [Difference] = []
    /// The store's quality counts and the topic's where they differ; compared where the topic has every record.
    public internal(set) var quality: (stored: Quality, read: Quality)?
    /// The funnels whose reports differ.
    public internal(set) var reports: [String] = []

    /// Whether the store has what the topic has.
    public var isEqual: Bool { differenceCount == 0 && quality == nil && reports.isEmpty }

    private let limit: Int

    /// - Parameter limit: how many differences are kept.
    init(limit: Int) {
        self.limit = limit
    }

    /// Compares one install.
    mutating func compare(
        _ install: [UInt8],
        stored: InstallContents?,
        read: InstallContents?,
        funnels: [Funnel]
    ) {
        installCount += 1
        let storedResults = stored?.results ?? []
        resultCount += storedResults.count { result in firstDay.map { $0 <= result.day } ?? true }
        let found = InstallDifference.between(install, storedResults, read?.results ?? [], from: firstDay)
        differenceCount += found.count
        for difference in found.prefix(limit - differences.count) {
            guard let result = difference.first ?? difference.second else { continue }
            let funnel = funnels[result.funnel]
            differences.append(
                Difference(
                    funnel: funnel,
                    results: difference,
                    stored: (stored?.events ?? []).filter { $0.canBelong(to: result, of: funnel) },
                    read: (read?.events ?? []).filter { $0.canBelong(to: result, of: funnel) }
                )
            )
        }
    }
}

extension MatchedEvent {
    /// Whether the event can be part of an attempt of the result's actor and day.
    fileprivate func canBelong(to result: InstallResult, of funnel: Funnel) -> Bool {
        let start = Int64(result.day.number) * 86_400_000
        let end = start + 86_400_000 + funnel.windowMilliseconds
        return steps[result.funnel] != 0 && (result.session == nil || session == result.session)
            && time.milliseconds >= start && time.milliseconds < end
    }
}
