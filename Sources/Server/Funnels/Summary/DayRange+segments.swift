extension DayRange {
    /// Calls `body` with each group of a segment whose attempts count in the range.
    ///
    /// - Parameter day: the day of the segment, which must be in the range.
    func forEachGroup(
        in segment: UnsafeRawBufferPointer,
        day: Day,
        _ body: (_ group: UnsafeRawBufferPointer) throws(DamagedBytes) -> Void
    ) throws(DamagedSummary) {
        // A gap that ends within the range means that another day of the actor counts instead.
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
