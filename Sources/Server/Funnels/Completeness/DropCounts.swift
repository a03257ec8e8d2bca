public import FlowEvents

/// The counts of dropped events by cause.
///
/// ```swift
/// var counts: DropCounts = [.queueFull: 3]
/// counts[.expired] += 1
/// ```
public struct DropCounts: Sendable, Hashable {
    // Without zeros, so that equal counts are equal.
    private var counts: [DropCause: Int64] = [:]

    /// Creates counts of 0.
    public init() {}

    /// The count of one cause.
    public subscript(cause: DropCause) -> Int64 {
        get { counts[cause] ?? 0 }
        set { counts[cause] = newValue == 0 ? nil : newValue }
    }

    /// The sum of all counts.
    public var total: Int64 { counts.values.reduce(0, +) }

    /// At most `limit` of the drops, the first causes first.
    func prefix(_ limit: Int64) -> DropCounts {
        // Nearly all installs have reported none.
        if counts.isEmpty { return self }
        var (prefix, rest) = (DropCounts(), limit)
        for cause in DropCause.allCases where self[cause] > 0 {
            prefix[cause] = min(rest, self[cause])
            rest -= prefix[cause]
        }
        return prefix
    }

    /// Adds each count of the right side to the same count of the left side.
    public static func + (lhs: DropCounts, rhs: DropCounts) -> DropCounts {
        rhs.counts.reduce(into: lhs) { $0[$1.key] += $1.value }
    }

    /// Subtracts each count of the right side from the same count of the left side.
    public static func - (lhs: DropCounts, rhs: DropCounts) -> DropCounts {
        rhs.counts.reduce(into: lhs) { $0[$1.key] -= $1.value }
    }
}

extension DropCounts: ExpressibleByDictionaryLiteral {
    /// Creates counts. The causes that are not named have 0.
    public init(dictionaryLiteral elements: (DropCause, Int64)...) {
        for (cause, count) in elements { self[cause] += count }
    }
}
