/// The sums over the attempts of a segment that count for the same ranges of days.
struct SummaryGroup: Sendable, Hashable {
    /// Element k is the number of attempts that ended at step k + 1.
    private(set) var ends: [Int64] = []
    /// The times to each step after the first, see ``column(fromFirst:)`` and ``column(fromPrevious:)``.
    private(set) var columns: [[TimeCount]] = []
    /// How the attempts ended, and their sums.
    private(set) var extras = SummaryExtras()

    /// The index of the column with the times from the first step to a step. Steps are counted from 1; the step is 2 or
    /// more.
    static func column(fromFirst step: Int) -> Int { 2 * (step - 2) }

    /// The index of the column with the times from the previous step. For step 2 it is the same column as from the
    /// first.
    static func column(fromPrevious step: Int) -> Int { max(0, 2 * (step - 2) - 1) }

    /// The number of columns for attempts of a depth.
    static func columnCount(depth: Int) -> Int { depth < 2 ? 0 : column(fromFirst: depth) + 1 }

    var isEmpty: Bool { ends.isEmpty }

    /// Adds equal attempts without their amounts. A damaged count overflows silently.
    ///
    /// - Parameter times: the milliseconds from each step met to the next: `depth - 1` numbers.
    mutating func add(depth: Int, ending: UInt8, times: some Sequence<Int64>, count: Int64) {
        widen(to: depth)
        ends[depth - 1] &+= count
        extras.add(depth: depth, ending: ending, count: count)
        var sinceFirst: Int64 = 0
        for (step, time) in zip(2..., times) {
            sinceFirst += time
            columns[Self.column(fromFirst: step)].append(TimeCount(time: sinceFirst, count: count))
            guard step > 2 else { continue }
            columns[Self.column(fromPrevious: step)].append(TimeCount(time: time, count: count))
        }
    }

    /// Adds the amounts of equal attempts.
    mutating func add(_ amounts: [SummaryAmount], count: Int64) {
        extras.add(amounts, count: count)
    }

    /// Adds another group of the same days.
    mutating func add(_ other: SummaryGroup) {
        widen(to: other.ends.count)
        for (index, count) in other.ends.enumerated() { ends[index] &+= count }
        for (index, column) in other.columns.enumerated() { columns[index] += column }
        extras.add(other.extras)
    }

    /// Adds up equal times and removes entries that cancel out.
    mutating func sum() {
        for index in columns.indices { columns[index] = TimeColumn.summed(columns[index]) }
        extras.removeZeros()
        // When one attempt replaces another of the same depth, the count is 0 and the rest may still differ.
        while let last = ends.last, last == 0, ends.count > extras.leastDepth,
            columns.suffix(columns.count - Self.columnCount(depth: ends.count - 1)).allSatisfy(\.isEmpty)
        {
            ends.removeLast()
            columns.removeLast(columns.count - Self.columnCount(depth: ends.count))
        }
    }

    private mutating func widen(to depth: Int) {
        guard depth > ends.count else { return }
        ends.append(contentsOf: repeatElement(0, count: depth - ends.count))
        let missing = Self.columnCount(depth: depth) - columns.count
        if missing > 0 { columns.append(contentsOf: repeatElement([], count: missing)) }
    }
}

extension SummaryGroup {
    /// Adds a day's best attempt.
    ///
    /// - Parameters:
    ///   - count: how often it is added; negative where it is removed.
    ///   - details: the details of the install's results.
    ///   - strings: the strings that the amounts refer to.
    mutating func add(_ best: DayOutcome, count: Int64, _ details: OutcomeDetails, _ strings: StringTable) {
        add(depth: best.rank, ending: best.endingCode, times: details.stepTimes(of: best), count: count)
        guard best.amountCount > 0 else { return }
        let amounts = details.amounts(of: best).map { amount in
            if case .amount(let amount, let unit) = amount {
                SummaryAmount(amount: amount, unit: Array(strings[unit]))
            } else {
                SummaryAmount(amount: 0, unit: nil)
            }
        }
        add(amounts, count: count)
    }
}

extension SummaryGroup {
    /// Encodes the group as varints: the greatest depth, the number of attempts that end at each depth, the columns in
    /// the coding of ``TimeColumn``, and the ``extras``.
    func encode(to bytes: inout [UInt8]) {
        bytes.appendVarint(UInt64(ends.count))
        for count in ends { bytes.appendSigned(count) }
        for column in columns { TimeColumn.encode(column, to: &bytes) }
        extras.encode(to: &bytes)
    }

    /// Adds a group that ``encode(to:)`` has encoded.
    mutating func add(encoded bytes: UnsafeRawBufferPointer) throws(DamagedBytes) {
        try Self.read(bytes) { depth, count in
            widen(to: depth)
            ends[depth - 1] &+= count
        } columns: { (column, reader) throws(DamagedBytes) in
            try TimeColumn.decode(&reader, to: &columns[column])
        } extras: { (reader) throws(DamagedBytes) in
            try extras.add(from: &reader)
        }
    }

    /// Reads a group that ``encode(to:)`` has encoded.
    ///
    /// - Parameters:
    ///   - ends: is called with each depth, in order, and the number of attempts that end there.
    ///   - columns: is called for each column, which it must read to its end.
    ///   - extras: is called with the ``extras`` where there are some, which it must read to their end.
    static func read(
        _ bytes: UnsafeRawBufferPointer,
        ends: (_ depth: Int, _ count: Int64) throws(DamagedBytes) -> Void,
        columns: (_ column: Int, inout ByteReader) throws(DamagedBytes) -> Void,
        extras: (inout ByteReader) throws(DamagedBytes) -> Void = { $0.skipRest() }
    ) throws(DamagedBytes) {
        var reader = ByteReader(bytes)
        let depth = try reader.index(below: Funnel.maximumStepCount + 1)
        guard depth > 0 else { throw DamagedBytes() }
        for depth in 1...depth { try ends(depth, try reader.signed()) }
        for column in 0..<columnCount(depth: depth) { try columns(column, &reader) }
        if reader.isAtEnd { return }
        try extras(&reader)
        guard reader.isAtEnd else { throw DamagedBytes() }
    }

    /// Returns the number of attempts in an encoded group. It does not read the times.
    static func attemptCount(in bytes: UnsafeRawBufferPointer) throws(DamagedBytes) -> Int64 {
        var reader = ByteReader(bytes)
        var result: Int64 = 0
        for _ in 0..<(try reader.index(below: Funnel.maximumStepCount + 1)) { result &+= try reader.signed() }
        return result
    }
}
