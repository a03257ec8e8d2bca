/// The times, the amounts and the next places of an install's results, one after another.
///
/// A ``DayOutcome`` has only the offset of its own: a copy of results is then a copy of memory, and nothing is allocated to
/// read, compute or replace one. The details of a replaced result stay until all are removed.
struct OutcomeDetails {
    /// Where the details of a result begin; without meaning for a result that has none.
    typealias Offset = Int32

    // Of each result with details its times, then two words for each amount, then the place where the actor went.
    private var words: [Int64] = []

    // The second word of an amount is the index of its unit plus 1, or this.
    private static let without: Int64 = 0

    mutating func removeAll() {
        words.removeAll(keepingCapacity: true)
    }

    // MARK: Adding

    /// The offset of the details that are appended next.
    @inline(__always)
    var end: Offset { Offset(words.count) }

    @inline(__always)
    mutating func append(time: Int64) {
        words.append(time)
    }

    /// Appends an amount, after the times and the other amounts of its result.
    mutating func append(_ amount: StepAmount) {
        switch amount {
        case .without: words += [0, Self.without]
        case .amount(let amount, let unit): words += [amount, Int64(unit.offset) + 1]
        }
    }

    /// Appends where the actor went next, after the amounts of its result.
    @inline(__always)
    mutating func append(next: StringTable.Index) { words.append(Int64(next.offset)) }

    // MARK: Reading

    /// The milliseconds from the attempt's first event to that of a step that it met, in order of the steps.
    @inline(__always)
    func time(_ index: Int, of best: DayOutcome) -> Int64 { words[Int(best.details) + index] }

    /// The milliseconds from the attempt's first event to that of each other step that it met, in order of the steps.
    func times(of best: DayOutcome) -> ArraySlice<Int64> { words[range(of: best).prefix(best.timeCount)] }

    /// What the attempt adds to the sums of the steps that it met, in the order of the funnel's sums.
    func amounts(of best: DayOutcome) -> [StepAmount] {
        let first = Int(best.details) + best.timeCount
        return (0..<best.amountCount).map { index in
            let (amount, unit) = (words[first + 2 * index], words[first + 2 * index + 1])
            return unit == Self.without ? .without : .amount(amount, unit: StringTable.Index(Int(unit - 1)))
        }
    }

    /// Where the actor went next, as text; `nil` where no event tells.
    func next(of best: DayOutcome) -> StringTable.Index? {
        best.hasNext ? StringTable.Index(Int(words[Int(best.details) + best.timeCount + 2 * best.amountCount])) : nil
    }

    /// Whether two results are equal. What differs most is compared first.
    func areEqual(_ lhs: DayOutcome, _ rhs: DayOutcome) -> Bool {
        guard lhs.hasSameNumbers(as: rhs) else { return false }
        guard lhs.details != rhs.details else { return true }
        let count = lhs.timeCount + 2 * lhs.amountCount + (lhs.hasNext ? 1 : 0)
        for word in 0..<count where words[Int(lhs.details) + word] != words[Int(rhs.details) + word] { return false }
        return true
    }

    /// Whether both have the same results.
    func areEqual(_ lhs: ArraySlice<DayOutcome>, _ rhs: ArraySlice<DayOutcome>) -> Bool {
        guard lhs.count == rhs.count else { return false }
        let distance = rhs.startIndex - lhs.startIndex
        for index in lhs.indices where !areEqual(lhs[index], rhs[index + distance]) { return false }
        return true
    }

    private func range(of best: DayOutcome) -> Range<Int> {
        let count = best.timeCount + 2 * best.amountCount
        return count == 0 ? 0..<0 : Int(best.details)..<Int(best.details) + count
    }
}

extension DayOutcome {
    /// Creates a result, and appends its details to those of its install.
    init(
        owner: Owner,
        day: Day,
        _ outcome: Outcome,
        times: some Sequence<Int64>,
        amounts: [StepAmount],
        next: StringTable.Index?,
        isOutOfOrder: Bool,
        in details: inout OutcomeDetails
    ) {
        self.init(owner: owner, day: day, outcome, details: details.end)
        for time in times { details.append(time: time) }
        for amount in amounts { details.append(amount) }
        if let next { details.append(next: next) }
        hasNext = next != nil
        self.isOutOfOrder = isOutOfOrder
        amountCount = amounts.count
    }
}
