/// The times and the amounts of an install's results, one after another.
///
/// A ``DayBest`` has only the offset of its own: a copy of results is then a copy of memory, and nothing is allocated to
/// read, compute or replace one. The details of a replaced result stay until all are removed.
struct ResultDetails {
    /// Where the details of a result begin; without meaning for a result that has none.
    typealias Offset = Int32

    // Of each result with details its times, then two words for each amount.
    private var words: [Int64] = []

    private enum Unit {
        static let notMatched: Int64 = -1
        static let without: Int64 = 0
    }

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
        case .notMatched: words += [0, Unit.notMatched]
        case .without: words += [0, Unit.without]
        case .amount(let amount, let unit): words += [amount, Int64(unit.offset) + 1]
        }
    }

    // MARK: Reading

    /// The milliseconds from a step met to the next.
    @inline(__always)
    func time(_ index: Int, of best: DayBest) -> Int64 { words[Int(best.details) + index] }

    /// The milliseconds from each step met to the next.
    func times(of best: DayBest) -> ArraySlice<Int64> { words[range(of: best).prefix(best.timeCount)] }

    /// What the attempt adds to the sums of the steps that it met, in the order of the funnel's sums.
    func amounts(of best: DayBest) -> [StepAmount] {
        let first = Int(best.details) + best.timeCount
        return (0..<best.amountCount).map { index in
            let (amount, unit) = (words[first + 2 * index], words[first + 2 * index + 1])
            switch unit {
            case Unit.notMatched: return .notMatched
            case Unit.without: return .without
            default: return .amount(amount, unit: StringTable.Index(Int(unit - 1)))
            }
        }
    }

    /// Whether two results are equal. What differs most is compared first.
    func areEqual(_ lhs: DayBest, _ rhs: DayBest) -> Bool {
        guard lhs.hasSameNumbers(as: rhs) else { return false }
        guard lhs.details != rhs.details else { return true }
        let count = lhs.timeCount + 2 * lhs.amountCount
        for word in 0..<count where words[Int(lhs.details) + word] != words[Int(rhs.details) + word] { return false }
        return true
    }

    /// Whether both have the same results.
    func areEqual(_ lhs: ArraySlice<DayBest>, _ rhs: ArraySlice<DayBest>) -> Bool {
        guard lhs.count == rhs.count else { return false }
        let distance = rhs.startIndex - lhs.startIndex
        for index in lhs.indices where !areEqual(lhs[index], rhs[index + distance]) { return false }
        return true
    }

    private func range(of best: DayBest) -> Range<Int> {
        let count = best.timeCount + 2 * best.amountCount
        return count == 0 ? 0..<0 : Int(best.details)..<Int(best.details) + count
    }
}

extension DayBest {
    /// Creates a result, and appends its times and amounts to the details of its install.
    init(
        owner: Owner,
        day: Day,
        depth: Int,
        times: some Sequence<Int64>,
        ending: UInt8 = 0,
        amounts: [StepAmount] = [],
        isOutOfOrder: Bool = false,
        in details: inout ResultDetails
    ) {
        self.init(owner: owner, day: day, depth: depth, details: details.end)
        for time in times { details.append(time: time) }
        for amount in amounts { details.append(amount) }
        self.ending = ending
        self.isOutOfOrder = isOutOfOrder
        amountCount = amounts.count
    }
}
