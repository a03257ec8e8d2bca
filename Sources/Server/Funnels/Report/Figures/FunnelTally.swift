/// The sums over the summary of one funnel or one breakdown value: the number of attempts by outcome, and the histograms
/// of their times. ``FunnelFigures`` finds the exact times when it reads the segments again.
struct FunnelTally {
    /// The number of attempts by outcome.
    private(set) var outcomes = OutcomeCounts()
    /// The histograms of the columns, in the order of ``SummaryGroup``.
    private(set) var columns: [TimeHistogram]
    /// The details of the attempts: their sums and next places.
    private(set) var details = SummaryDetails()
    private let stepCount: Int
    /// How many actors a store can have. Sums and differences of such numbers do not overflow.
    static let possibleCounts = 0...1 << 53

    init(_ funnel: Funnel) {
        stepCount = funnel.steps.count
        columns = Array(repeating: TimeHistogram(), count: SummaryGroup.columnCount(stepCount: stepCount))
    }

    /// Adds actors with an outcome.
    mutating func add(_ outcome: Outcome, _ actors: Int64) throws(DamagedSummary) {
        // An attempt cannot meet more steps than the funnel has.
        guard outcome.steps <= Outcome.firstSteps(stepCount) else { throw DamagedSummary() }
        outcomes.add(outcome, actors)
    }

    /// Adds a segment of a day in the range.
    mutating func add(_ segment: UnsafeRawBufferPointer, day: Day, in range: DayRange) throws(DamagedSummary) {
        try range.forEachGroup(in: segment, day: day) { (group) throws(DamagedBytes) in
            try SummaryGroup.read(group) { (column, reader) throws(DamagedBytes) in
                guard columns.indices.contains(column) else { throw DamagedBytes() }
                try columns[column].add(&reader)
            } details: { (reader) throws(DamagedBytes) in
                try details.add(from: &reader)
            }
        }
    }

    /// Returns the number of actors that reached each step of the funnel.
    ///
    /// - Throws: ``DamagedSummary`` where no store can have so many attempts, or fewer than none.
    func counts() throws(DamagedSummary) -> [Int] {
        let counts = (0..<stepCount).map { step in outcomes.attemptCount { $0.meets(step) } }
        guard outcomes.entries.allSatisfy({ Self.possibleCounts.contains(Int($0.count)) }),
            counts.allSatisfy(Self.possibleCounts.contains)
        else { throw DamagedSummary() }
        return counts
    }

    /// Whether the range has no attempts.
    var isEmpty: Bool { outcomes.entries.allSatisfy { $0.count == 0 } }
}
