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
/// The caller reads all counts once for each pass. A pass counts the values of one class, which are the values whose
/// hashes end with the same bits. When the counts exceed ``BreakdownLimits/countBytes``, the class is split by one more
/// bit, and the other half waits for a later pass. Between passes, only the best values are kept.
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
    private var current: HashClass? = HashClass()
    private var waiting: [HashClass] = []
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
    var isComplete: Bool { current == nil }

    /// The best values.
    var values: Set<[UInt8]> { Set(best.map(\.value)) }

    /// The number of the other values with an actor at step 1.
    var leftOutCount: Int { valueCount - best.count }

    /// Adds the actors of one count. Each pass adds those of all counts.
    mutating func add(_ actors: Int64, of value: [UInt8]) {
        guard actors != 0, let current, current.contains(value) else { return }
        let before = counts.count
        counts[value, default: 0] &+= actors
        if counts.count > before { countBytes += Self.byteCount(of: value) }
        while countBytes > limits.countBytes, counts.count > 1, splitClass() {}
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
        current = waiting.popLast()
    }

    private mutating func removeWorst() {
        guard best.count > limits.valueCount else { return }
        best.sort(by: Candidate.precedes)
        best.removeLast(best.count - limits.valueCount)
        worst = best.last
    }

    private mutating func splitClass() -> Bool {
        guard let (kept, other) = current?.halves() else { return false }
        current = kept
        waiting.append(other)
        counts = counts.filter { kept.contains($0.key) }
        countBytes = counts.keys.reduce(0) { $0 + Self.byteCount(of: $1) }
        return true
    }

    // The value's array has a header of 32 bytes, and the dictionary has up to 4 slots of 16 bytes for each entry.
    private static func byteCount(of value: [UInt8]) -> Int { value.count + 96 }
}

/// The values whose hashes end with the same bits.
private struct HashClass {
    private var mask = 0
    private var bits = 0

    func contains(_ value: [UInt8]) -> Bool {
        guard mask != 0 else { return true }
        var hasher = Hasher()
        value.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize() & mask == bits
    }

    /// The two halves by the next bit; `nil` where all bits are used.
    func halves() -> (HashClass, HashClass)? {
        guard mask != -1 else { return nil }
        let bit = mask &+ 1
        var (zeros, ones) = (self, self)
        zeros.mask |= bit
        ones.mask |= bit
        ones.bits |= bit
        return (zeros, ones)
    }
}
