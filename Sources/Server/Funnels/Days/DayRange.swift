/// Days from a first to a last one, both included, or without such a bound.
public struct DayRange: Sendable, Hashable {
    /// The first day; `nil` for no bound.
    public let from: Day?
    /// The last day; `nil` for no bound.
    public let to: Day?

    /// All days.
    public static let all = DayRange(nil, nil)

    /// Creates a range of days.
    public init(_ from: Day?, _ to: Day?) {
        self.from = from
        self.to = to
    }

    /// Whether a day is in the range.
    public func contains(_ day: Day) -> Bool {
        (from.map { $0 <= day } ?? true) && (to.map { day <= $0 } ?? true)
    }
}
