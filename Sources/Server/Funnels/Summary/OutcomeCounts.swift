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

    /// The outcomes in their order, each once. A funnel has few: mostly as many as steps and endings.
    private(set) var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Adds attempts. Damaged counts overflow silently.
    mutating func add(_ outcome: Outcome, _ count: Int64) {
        let index = entries.partitioningIndex { !$0.outcome.precedes(outcome) }
        if index < entries.count, entries[index].outcome == outcome {
            entries[index].count &+= count
        } else {
            entries.insert(Entry(outcome: outcome, count: count), at: index)
        }
    }

    mutating func add(_ other: OutcomeCounts) {
        for entry in other.entries { add(entry.outcome, entry.count) }
    }

    mutating func removeZeros() { entries.removeAll { $0.count == 0 } }

    /// Returns the number of attempts with some outcomes.
    func attemptCount(where isCounted: (Outcome) -> Bool) -> Int {
        var count: Int64 = 0
        for entry in entries where isCounted(entry.outcome) { count &+= entry.count }
        return Int(count)
    }
}

extension OutcomeCounts {
    /// Appends the number of outcomes, and each with its count.
    func encode(to bytes: inout [UInt8]) {
        bytes.appendVarint(UInt64(entries.count))
        for entry in entries {
            entry.outcome.encode(into: &bytes)
            bytes.appendSigned(entry.count)
        }
    }

    /// Reads what ``encode(to:)`` has appended, and calls `body` with each outcome and its count.
    static func read(
        from reader: inout ByteReader,
        _ body: (Outcome, _ count: Int64) throws(DamagedBytes) -> Void
    ) throws(DamagedBytes) {
        for _ in 0..<(try reader.count()) {
            let outcome = try Outcome.decode(from: &reader).outcome
            try body(outcome, try reader.signed())
        }
    }
}
