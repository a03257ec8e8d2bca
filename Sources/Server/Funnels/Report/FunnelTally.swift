/// Adds up the segments of one funnel, or of one of its breakdown values: how many attempts got how far, and about how
/// long they took. The exact medians are ``FunnelMedians``' to find, in a second reading.
struct FunnelTally {
    /// Index k is step k + 1: how many attempts ended there.
    private(set) var ends: [Int64]
    /// In the order of ``SummaryGroup``.
    private(set) var columns: [TimeHistogram]

    init(stepCount: Int) {
        ends = Array(repeating: 0, count: stepCount)
        columns = Array(repeating: TimeHistogram(), count: SummaryGroup.columnCount(depth: stepCount))
    }

    /// Adds a segment of a day that is in the range.
    mutating func add(_ segment: UnsafeRawBufferPointer, day: Day, in range: SummaryRange) throws(DamagedSegment) {
        try range.forEachGroup(in: segment, day: day) { (group) throws(DamagedBytes) in
            try SummaryGroup.read(group) { (depth, count) throws(DamagedBytes) in
                // A deeper attempt than the funnel has steps cannot have come from it.
                guard depth <= ends.count else { throw DamagedBytes() }
                ends[depth - 1] &+= count
            } columns: { (column, reader) throws(DamagedBytes) in
                try columns[column].add(&reader)
            }
        }
    }

    /// Whether no actor has an attempt in the range.
    var isEmpty: Bool { ends.allSatisfy { $0 == 0 } }
}
