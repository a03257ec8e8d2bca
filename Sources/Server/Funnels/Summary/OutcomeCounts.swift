import FlowEvents

/// How many attempts had each outcome.
///
/// ```swift
/// counts.add(outcome, 1)
/// let reached = counts.attemptCount { $0.meets(2) }
/// ```
struct OutcomeCounts: Sendable, Hashable {
    /// An outcome and its attempts.
    struct Entry: Sendable, Hashable {
        let outcome: Outcome
        /// Negative where more attempts are removed than added.
        var count: Int64
    }

    /// The outcomes in order of their codes, each once. A funnel has few: mostly as many as steps and endings.
    private(set) var entries: [Entry] = []

    /// Adds attempts. Damaged counts overflow silently.
    mutating func add(_ outcome: Outcome, _ count: Int64) {
        let code = outcome.code
        let index = entries.partitioningIndex { $0.outcome.code >= code }
        if index < entries.count, entries[index].outcome == outcome {
            entries[index].count &+= count
        } else {
            entries.insert(Entry(outcome: outcome, count: count), at: index)
        }
    }

    mutating func add(_ other: OutcomeCounts) {
        for entry in other.entries { add(entry.outcome, entry.count) }
    }

    /// Returns the number of attempts with some outcomes.
    func attemptCount(where isCounted: (Outcome) -> Bool) -> Int {
        var count: Int64 = 0
        for entry in entries where isCounted(entry.outcome) { count &+= entry.count }
        return Int(count)
    }
}
