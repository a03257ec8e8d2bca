/// Adds up the segments of one funnel, or of one of its breakdown values, over a range of days.
struct FunnelTally {
    private let from: Day?
    private let to: Day?
    // Index k is step k + 1.
    private var actors: [Int64]
    private var fromFirst: [WeightedMedian]
    private var fromPrevious: [WeightedMedian]

    init(stepCount: Int, from: Day?, to: Day?) {
        self.from = from
        self.to = to
        actors = Array(repeating: 0, count: stepCount)
        fromFirst = Array(repeating: WeightedMedian(), count: stepCount)
        fromPrevious = fromFirst
    }

    /// Adds a segment of a day that is in the range.
    mutating func add(_ segment: UnsafeRawBufferPointer, day: Day) throws(DamagedSegment) {
        // A gap that reaches into the range means that another of the actor's days is the one that counts.
        let previousLimit = from.map { Int64(day.number) - Int64($0.number) } ?? .max
        let nextLimit = to.map { Int64($0.number) - Int64(day.number) } ?? .max
        try SummarySegment.forEachRecord(
            in: segment,
            where: { previousGap, nextGap in
                (previousGap == 0 || Int64(previousGap) > previousLimit)
                    && (nextGap == 0 || Int64(nextGap) > nextLimit)
            },
            { head, count, times in
                // A deeper record than the funnel has steps cannot have come from it.
                guard head.depth <= actors.count else { return }
                actors[head.depth - 1] += count
                var sinceFirst: Int64 = 0
                for (index, time) in times.enumerated() {
                    sinceFirst += time
                    fromPrevious[index + 1].add(time, count: count)
                    if index > 0 { fromFirst[index + 1].add(sinceFirst, count: count) }
                }
            }
        )
    }

    /// Whether no actor has an attempt in the range.
    var isEmpty: Bool { actors.allSatisfy { $0 == 0 } }

    /// The figures of each step, named by `steps`.
    func results(for steps: [Step]) -> [StepResult] {
        // An actor whose attempt got to a step has reached all the steps before it.
        var reached = actors.map(Int.init)
        for index in reached.indices.dropLast().reversed() { reached[index] += reached[index + 1] }
        return steps.indices.map { index in
            let previous = fromPrevious[index].value
            return StepResult(
                name: steps[index].name,
                count: reached[index],
                conversionFromFirst: Ratio(reached[index], of: reached[0]),
                conversionFromPrevious: Ratio(reached[index], of: reached[max(0, index - 1)]),
                medianFromFirst: index == 1 ? previous : fromFirst[index].value,
                medianFromPrevious: previous
            )
        }
    }
}
