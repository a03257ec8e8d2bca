public import FlowEvents

/// The counts of dropped events by cause.
public struct DropCounts: Sendable, Hashable {
    /// See `DropCause.queueFull`.
    public var queueFull: Int64
    /// See `DropCause.expired`.
    public var expired: Int64
    /// See `DropCause.notStored`.
    public var notStored: Int64
    /// See `DropCause.rejected`.
    public var rejected: Int64
    /// See `DropCause.other`.
    public var other: Int64

    /// Creates counts, which are 0 by default.
    public init(
        queueFull: Int64 = 0,
        expired: Int64 = 0,
        notStored: Int64 = 0,
        rejected: Int64 = 0,
        other: Int64 = 0
    ) {
        self.queueFull = queueFull
        self.expired = expired
        self.notStored = notStored
        self.rejected = rejected
        self.other = other
    }

    /// The count of one cause.
    public subscript(cause: DropCause) -> Int64 {
        get {
            switch cause {
            case .queueFull: queueFull
            case .expired: expired
            case .notStored: notStored
            case .rejected: rejected
            case .other: other
            }
        }
        set {
            switch cause {
            case .queueFull: queueFull = newValue
            case .expired: expired = newValue
            case .notStored: notStored = newValue
            case .rejected: rejected = newValue
            case .other: other = newValue
            }
        }
    }

    /// The sum of all counts.
    public var total: Int64 { queueFull + expired + notStored + rejected + other }

    /// At most `limit` of the drops, the first causes first.
    func prefix(_ limit: Int64) -> DropCounts {
        var counts = DropCounts()
        var rest = limit
        for cause in DropCause.allCases {
            counts[cause] = min(rest, self[cause])
            rest -= counts[cause]
        }
        return counts
    }

    /// Adds each count of the right side to the same count of the left side.
    public static func + (lhs: DropCounts, rhs: DropCounts) -> DropCounts {
        lhs.combined(with: rhs, by: +)
    }

    /// Subtracts each count of the right side from the same count of the left side.
    public static func - (lhs: DropCounts, rhs: DropCounts) -> DropCounts {
        lhs.combined(with: rhs, by: -)
    }

    private func combined(with other: DropCounts, by operation: (Int64, Int64) -> Int64) -> DropCounts {
        var counts = self
        for cause in DropCause.allCases { counts[cause] = operation(self[cause], other[cause]) }
        return counts
    }
}
