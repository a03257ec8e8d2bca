/// The sums over the attempts of a segment that count for the same ranges of days.
struct SummaryGroup: Sendable, Hashable {
    /// Element k is the number of attempts that ended at step k + 1.
    private(set) var ends: [Int64] = []
    /// The times to each step after the first, see ``column(fromFirst:)`` and ``column(fromPrevious:)``.
    private(set) var columns: [[TimeCount]] = []
    /// The times to the optional steps: of each those from the first step, then those from the required step before it. There
    /// may be fewer columns.
    private(set) var optionalColumns: [[TimeCount]] = []
    /// What the attempts have beside.
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

    /// Adds equal attempts without their amounts and optional steps. A damaged count overflows silently.
    ///
    /// - Parameter times: the milliseconds from each required step met to the next: `depth - 1` numbers.
    mutating func add(depth: Int, endingCode: UInt8, times: some Sequence<Int64>, count: Int64) {
        widen(to: depth)
        ends[depth - 1] &+= count
        extras.add(depth: depth, endingCode: endingCode, count: count)
        var sinceFirst: Int64 = 0
        // A damaged attempt can have other times than its depth says.
        for (step, time) in zip(2..., times.prefix(depth - 1)) {
            sinceFirst += time
            columns[Self.column(fromFirst: step)].append(TimeCount(time: sinceFirst, count: count))
            guard step > 2 else { continue }
            columns[Self.column(fromPrevious: step)].append(TimeCount(time: time, count: count))
        }
    }

    /// Adds the amounts of equal attempts.
    ///
    /// - Parameter sums: the indices of the sums to which they are added.
    mutating func add(_ amounts: [SummaryAmount], to sums: [Int], count: Int64) {
        extras.add(amounts, to: sums, count: count)
    }

    /// Adds equal attempts that met an optional step.
    ///
    /// - Parameters:
    ///   - number: the number of optional steps before it.
    ///   - wentOn: whether they met the required step behind it.
    ///   - sinceFirst: the milliseconds from the first step.
    ///   - sinceRequired: the milliseconds from the required step before it.
    mutating func add(
        optionalStep number: Int,
        wentOn: Bool,
        sinceFirst: Int64,
        sinceRequired: Int64,
        count: Int64
    ) {
        extras.add(optionalStep: number, wentOn: wentOn, count: count)
        widen(optionalColumnsTo: 2 * number + 2)
        optionalColumns[2 * number].append(TimeCount(time: sinceFirst, count: count))
        optionalColumns[2 * number + 1].append(TimeCount(time: sinceRequired, count: count))
    }

    /// Adds another group of the same days.
    mutating func add(_ other: SummaryGroup) {
        widen(to: other.ends.count)
        for (index, count) in other.ends.enumerated() { ends[index] &+= count }
        for (index, column) in other.columns.enumerated() { columns[index] += column }
        widen(optionalColumnsTo: other.optionalColumns.count)
        for (index, column) in other.optionalColumns.enumerated() { optionalColumns[index] += column }
        extras.add(other.extras)
    }

    /// Adds up equal times and removes entries that cancel out.
    mutating func sum() {
        for index in columns.indices { columns[index] = TimeColumn.summed(columns[index]) }
        for index in optionalColumns.indices { optionalColumns[index] = TimeColumn.summed(optionalColumns[index]) }
        while optionalColumns.last?.isEmpty ?? false { optionalColumns.removeLast() }
        extras.removeZeros()
        // When one attempt replaces another of the same depth, the count is 0 and the rest may still differ.
        let leastDepth = max(extras.leastDepth, optionalColumns.isEmpty ? 0 : 1)
        while let last = ends.last, last == 0, ends.count > leastDepth,
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

    private mutating func widen(optionalColumnsTo count: Int) {
        let missing = count - optionalColumns.count
        if missing > 0 { optionalColumns.append(contentsOf: repeatElement([], count: missing)) }
    }
}

extension SummaryGroup {
    /// Adds a day's best attempt.
    ///
    /// - Parameters:
    ///   - count: how often it is added; negative where it is removed.
    ///   - rules: the rules of the funnel.
    ///   - details: the details of the install's results.
    ///   - strings: the strings that the amounts refer to.
    mutating func add(
        _ best: DayOutcome,
        count: Int64,
        _ rules: FunnelRules,
        _ details: OutcomeDetails,
        _ strings: StringTable
    ) {
        if rules.hasOptional {
            addWithOptional(best, count: count, rules, details)
        } else {
            add(depth: best.rank, endingCode: best.endingCode, times: details.stepTimes(of: best), count: count)
        }
        if let next = details.next(of: best) {
            extras.add(next: SummaryExtras.NextKey(rank: best.rank, place: Array(strings[next])), count: count)
        }
        guard best.amountCount > 0 else { return }
        let amounts = details.amounts(of: best).map { amount in
            if case .amount(let amount, let unit) = amount {
                SummaryAmount(amount: amount, unit: Array(strings[unit]))
            } else {
                SummaryAmount(amount: 0, unit: nil)
            }
        }
        add(amounts, to: rules.sums(of: best.steps), count: count)
    }

    /// Adds the steps of an attempt of a funnel with optional ones.
    private mutating func addWithOptional(
        _ best: DayOutcome,
        count: Int64,
        _ rules: FunnelRules,
        _ details: OutcomeDetails
    ) {
        var requiredTimes: [Int64] = []
        var (rank, sinceFirst) = (1, Int64(0))
        var rest = best.steps & ~1
        for time in details.times(of: best) {
            let step = rest.trailingZeroBitCount
            rest &= rest - 1
            if rules.isRequired(step) {
                requiredTimes.append(time - sinceFirst)
                sinceFirst = time
                rank += 1
            } else {
                add(
                    optionalStep: rules.optionalCount(before: step),
                    wentOn: best.rank > rank,
                    sinceFirst: time,
                    sinceRequired: time - sinceFirst,
                    count: count
                )
            }
        }
        add(depth: best.rank, endingCode: best.endingCode, times: requiredTimes, count: count)
    }
}

extension SummaryGroup {
    /// Encodes the group as varints: the greatest depth, the number of attempts that end at each depth, and the columns in
    /// the coding of ``TimeColumn``. The number of optional columns, these, and the ``extras`` follow where there are some.
    func encode(to bytes: inout [UInt8]) {
        bytes.appendVarint(UInt64(ends.count))
        for count in ends { bytes.appendSigned(count) }
        for column in columns { TimeColumn.encode(column, to: &bytes) }
        guard !(optionalColumns.isEmpty && extras.isEmpty) else { return }
        bytes.appendVarint(UInt64(optionalColumns.count))
        for column in optionalColumns { TimeColumn.encode(column, to: &bytes) }
        extras.encode(to: &bytes)
    }

    /// Adds a group that ``encode(to:)`` has encoded.
    mutating func add(encoded bytes: UnsafeRawBufferPointer) throws(DamagedBytes) {
        try Self.read(bytes) { depth, count in
            widen(to: depth)
            ends[depth - 1] &+= count
        } columns: { (column, reader) throws(DamagedBytes) in
            try TimeColumn.decode(&reader, to: &columns[column])
        } optionalColumns: { (column, reader) throws(DamagedBytes) in
            widen(optionalColumnsTo: column + 1)
            try TimeColumn.decode(&reader, to: &optionalColumns[column])
        } extras: { (reader) throws(DamagedBytes) in
            try extras.add(from: &reader)
        }
    }

    /// Reads a group that ``encode(to:)`` has encoded.
    ///
    /// - Parameters:
    ///   - ends: is called with each depth, in order, and the number of attempts that end there.
    ///   - columns: is called for each column, which it must read to its end.
    ///   - optionalColumns: is called for each of the ``optionalColumns``, which it must read to its end.
    ///   - extras: is called with the ``extras`` where there are some, which it must read to their end.
    static func read(
        _ bytes: UnsafeRawBufferPointer,
        ends: (_ depth: Int, _ count: Int64) throws(DamagedBytes) -> Void,
        columns: (_ column: Int, inout ByteReader) throws(DamagedBytes) -> Void,
        optionalColumns: (_ column: Int, inout ByteReader) throws(DamagedBytes) -> Void,
        extras: (inout ByteReader) throws(DamagedBytes) -> Void = { $0.skipRest() }
    ) throws(DamagedBytes) {
        var reader = ByteReader(bytes)
        let depth = try reader.index(below: Funnel.maximumStepCount + 1)
        guard depth > 0 else { throw DamagedBytes() }
        for depth in 1...depth { try ends(depth, try reader.signed()) }
        for column in 0..<columnCount(depth: depth) { try columns(column, &reader) }
        if reader.isAtEnd { return }
        let optionalCount = try reader.index(below: 2 * Funnel.maximumOptionalStepCount + 1)
        for column in 0..<optionalCount { try optionalColumns(column, &reader) }
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
