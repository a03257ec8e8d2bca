/// The bounds of a breakdown in a report.
package struct BreakdownLimits: Sendable, Hashable {
    /// The greatest number of values with figures. Of more values, those with the most actors at step 1 are reported.
    package var valueCount: Int
    /// The greatest memory for the counts of actors by value, in bytes, approximately. With more values than fit, the
    /// counts are read more often.
    package var countBytes: Int

    /// Creates bounds, by default those of all reports.
    package init(valueCount: Int = 1000, countBytes: Int = 64 << 20) {
        self.valueCount = valueCount
        self.countBytes = countBytes
    }
}

/// Finds the breakdown values with the most actors at step 1, in bounded memory.
///
/// The caller reads all counts once for each pass. A pass counts a range of the values, in the order of their bytes. When the
/// counts exceed ``BreakdownLimits/countBytes``, the pass drops the upper half of them and ends its range there. The next pass
/// begins behind that. Between passes, only the best values are kept.
struct BreakdownSelection {
    private struct Candidate {
        var value: [UInt8]
        var actors: Int64

        /// The order of the candidates, the best first.
        static func precedes(_ lhs: Candidate, _ rhs: Candidate) -> Bool {
            if lhs.actors != rhs.actors { return lhs.actors > rhs.actors }
            return lhs.value.lexicographicallyPrecedes(rhs.value)
        }
    }

    private let limits: BreakdownLimits
    // The range of this pass: behind `last`, up to `end` and with it. `nil` is no bound.
    private var last: [UInt8]?
    private var end: [UInt8]?
    private var counts: [[UInt8]: Int64] = [:]
    /// The memory of the counts, in bytes, approximately.
    private(set) var countBytes = 0
    private var best: [Candidate] = []
    // The worst candidate that is kept, once there are enough.
    private var worst: Candidate?
    private var valueCount = 0

    init(_ limits: BreakdownLimits) {
        self.limits = limits
    }

    /// Whether all passes are done.
    private(set) var isComplete = false

    /// The best values.
    var values: Set<[UInt8]> { Set(best.map(\.value)) }

    /// The number of the other values with an actor at step 1.
    var leftOutCount: Int { valueCount - best.count }

    /// Adds the actors of one count. Each pass adds those of all counts.
    mutating func add(_ actors: Int64, of value: [UInt8]) {
        guard actors != 0, last.map({ $0.lexicographicallyPrecedes(value) }) ?? true,
            end.map({ !$0.lexicographicallyPrecedes(value) }) ?? true
        else { return }
        let before = counts.count
        counts[value, default: 0] &+= actors
        if counts.count > before { countBytes += Self.byteCount(of: value) }
        if countBytes > limits.countBytes, counts.count > 1 { narrowRange() }
    }

    /// Ends a pass and begins the next one.
    mutating func endPass() {
        for (value, actors) in counts where actors > 0 {
            valueCount += 1
            let candidate = Candidate(value: value, actors: actors)
            if let worst, !Candidate.precedes(candidate, worst) { continue }
            best.append(candidate)
            if best.count / 2 >= limits.valueCount { removeWorst() }
        }
        removeWorst()
        counts = [:]
        countBytes = 0
        (last, end, isComplete) = (end, nil, end == nil)
    }

    private mutating func removeWorst() {
        guard best.count > limits.valueCount else { return }
        best.sort(by: Candidate.precedes)
        best.removeLast(best.count - limits.valueCount)
        worst = best.last
    }

    /// Drops the upper half of the counts, and ends the range of this pass before it.
    private mutating func narrowRange() {
        let values = counts.keys.sorted { $0.lexicographicallyPrecedes($1) }
        let kept = values[..<(values.count / 2)]
        end = kept.last
        counts = Dictionary(uniqueKeysWithValues: kept.map { ($0, counts[$0] ?? 0) })
        countBytes = kept.reduce(0) { $0 + Self.byteCount(of: $1) }
    }

    // The value's array has a header of 32 bytes, and the dictionary has up to 4 slots of 16 bytes for each entry.
    private static func byteCount(of value: [UInt8]) -> Int { value.count + 96 }
}
