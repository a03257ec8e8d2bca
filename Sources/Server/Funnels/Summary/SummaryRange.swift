/// The entry days that a report is about.
struct SummaryRange {
    /// The first day, included; `nil` is the beginning.
    let from: Day?
    /// The last day, included; `nil` is the end.
    let to: Day?

    init(_ from: Day?, _ to: Day?) {
        self.from = from
        self.to = to
    }

    /// Calls `body` with each group of a segment that counts in the range.
    ///
    /// - Parameter day: the segment's, which is in the range.
    func forEachGroup(
        in segment: UnsafeRawBufferPointer,
        day: Day,
        _ body: (_ group: UnsafeRawBufferPointer) throws(DamagedBytes) -> Void
    ) throws(DamagedSegment) {
        // A gap that reaches into the range means that another of the actor's days is the one that counts.
        let previousLimit = from.map { Int64(day.number) - Int64($0.number) } ?? .max
        let nextLimit = to.map { Int64($0.number) - Int64(day.number) } ?? .max
        try SummarySegment.forEachGroup(in: segment) { gaps in
            (gaps.previous == 0 || Int64(gaps.previous) > previousLimit)
                && (gaps.next == 0 || Int64(gaps.next) > nextLimit)
        } _: { (_, group) throws(DamagedBytes) in
            try body(group)
        }
    }
}
