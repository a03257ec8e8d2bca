/// The times and the details of an install's results, one after another.
///
/// A ``DayOutcome`` has only the offset of its own: a copy of results is then a copy of memory, and nothing is allocated to
/// read, compute or replace one. The details of a replaced result stay until all are removed.
struct OutcomeDetails {
    /// Where the times and details of a result begin; without meaning for a result that has none.
    typealias Offset = Int32

    // Of each result its times, then two words for each detail. The first is the amount. The second has the code of the subject
    // in its upper half and that of the text in its lower half.
    private var words: [Int64] = []

    mutating func removeAll() {
        words.removeAll(keepingCapacity: true)
    }

    // MARK: Adding

    /// The offset of what is appended next.
    @inline(__always)
    var end: Offset { Offset(words.count) }

    @inline(__always)
    mutating func append(time: Int64) {
        words.append(time)
    }

    /// Appends a detail, after the times and the other details of its result.
    @inline(__always)
    mutating func append(_ detail: OutcomeDetail) {
        words.append(detail.amount)
        words.append(Int64(detail.subject.code) << 32 | Int64(CompactIndex(wrappedValue: detail.text).code))
    }

    /// Appends the times and details of another install's result.
    ///
    /// - Parameters:
    ///   - best: the result.
    ///   - other: the details of its install.
    ///   - text: returns the index that a text of the other install has here.
    mutating func append(
        _ best: DayOutcome,
        of other: OutcomeDetails,
        text: (StringTable.Index) -> StringTable.Index
    ) {
        words += other.times(of: best)
        other.forEach(of: best) { detail in
            append(OutcomeDetail(subject: detail.subject, text: detail.text.map(text), amount: detail.amount))
        }
    }

    // MARK: Reading

    /// The milliseconds from the attempt's first event to that of a step that it met, in order of the steps.
    @inline(__always)
    func time(_ index: Int, of best: DayOutcome) -> Int64 { words[Int(best.details) + index] }

    /// The milliseconds from the attempt's first event to that of each other step that it met, in order of the steps.
    func times(of best: DayOutcome) -> ArraySlice<Int64> {
        best.timeCount == 0 ? [] : words[Int(best.details)...].prefix(best.timeCount)
    }

    /// Calls `body` with each detail, in order.
    @inline(__always)
    func forEach(of best: DayOutcome, _ body: (OutcomeDetail) -> Void) {
        let first = Int(best.details) + best.timeCount
        for index in 0..<best.detailCount {
            let (amount, code) = (words[first + 2 * index], words[first + 2 * index + 1])
            let text = CompactIndex<StringTable>(code: Int(truncatingIfNeeded: code & 0xFFFF_FFFF)).wrappedValue
            body(OutcomeDetail(subject: OutcomeDetail.Subject(code: Int(code >> 32)), text: text, amount: amount))
        }
    }

    /// The breakdown value of a result's attempt; `nil` without a breakdown.
    func value(of best: DayOutcome) -> StringTable.Index? {
        var value = best.owner.value
        forEach(of: best) { detail in
            if detail.subject == .value { value = detail.text }
        }
        return value
    }

    /// Whether two results are equal. What differs most is compared first.
    func areEqual(_ lhs: DayOutcome, _ rhs: DayOutcome) -> Bool {
        guard lhs.hasSameNumbers(as: rhs) else { return false }
        guard lhs.details != rhs.details else { return true }
        let count = lhs.timeCount + 2 * lhs.detailCount
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
}
