/// The times and details of the attempts of a segment that count for the same ranges of days.
struct SummaryGroup: Sendable, Hashable {
    /// The times to the steps after the first, see ``column(fromFirst:)`` and ``column(fromPrevious:)``. There may be fewer
    /// columns.
    private(set) var columns: [[TimeCount]] = []
    /// The details of the attempts: their sums and next places.
    private(set) var details = SummaryDetails()

    /// The index of the column with the times from the first step to another one, the second step as 1.
    static func column(fromFirst step: Int) -> Int { 2 * (step - 1) }

    /// The index of the column with the times to a step from the required step before it. Where that is the first step, the
    /// column is empty: the times are those of ``column(fromFirst:)``.
    static func column(fromPrevious step: Int) -> Int { 2 * (step - 1) + 1 }

    /// The number of columns of a funnel.
    static func columnCount(stepCount: Int) -> Int { 2 * (stepCount - 1) }

    var isEmpty: Bool { columns.isEmpty && details.isEmpty }

    /// Adds the times of equal attempts.
    ///
    /// - Parameters:
    ///   - times: the milliseconds from the first event to that of each other step met, in order of the steps.
    ///   - steps: the steps that the attempts met, as bits.
    ///   - rules: the rules of the funnel.
    ///   - count: the number of attempts; negative where they are removed.
    mutating func add(times: some Sequence<Int64>, of steps: UInt32, _ rules: FunnelRules, count: Int64) {
        // The required step that was met last.
        var previous = (step: 0, time: Int64(0))
        for (step, time) in zip(StepIndices(steps & ~1), times) {
            append(TimeCount(time: time, count: count), to: Self.column(fromFirst: step))
            if previous.step > 0 {
                append(TimeCount(time: time - previous.time, count: count), to: Self.column(fromPrevious: step))
            }
            if rules.isRequired(step) { previous = (step, time) }
        }
    }

    private mutating func append(_ time: TimeCount, to column: Int) {
        widen(to: column + 1)
        columns[column].append(time)
    }

    private mutating func widen(to count: Int) {
        let missing = count - columns.count
        if missing > 0 { columns.append(contentsOf: repeatElement([], count: missing)) }
    }

    /// Adds another group of the same days.
    mutating func add(_ other: SummaryGroup) {
        widen(to: other.columns.count)
        for (index, column) in other.columns.enumerated() { columns[index] += column }
        details.add(other.details)
    }

    /// Adds up equal times and removes what cancels out.
    mutating func sum() {
        for index in columns.indices { columns[index] = TimeColumn.summed(columns[index]) }
        while columns.last?.isEmpty ?? false { columns.removeLast() }
        details.removeZeros()
    }
}

extension SummaryGroup {
    /// Adds the times and the details of a day's best attempt.
    ///
    /// - Parameters:
    ///   - state: the install's state, which has its times and details.
    ///   - rules: the rules of the funnel.
    ///   - count: how often it is added; negative where it is removed.
    mutating func add(_ best: DayOutcome, of state: InstallState, _ rules: FunnelRules, count: Int64) {
        add(times: state.details.times(of: best), of: best.steps, rules, count: count)
        state.details.forEach(of: best) { detail in
            // The summary has a row of its own for each value.
            if detail.subject == .value { return }
            let key = SummaryDetails.Key(subject: detail.subject, text: detail.text.map { Array(state.strings[$0]) })
            details.add(detail.amount, to: key, count: count)
        }
    }
}

extension SummaryGroup {
    /// Encodes the group: the number of columns, these in the coding of ``TimeColumn``, and the ``details``.
    func encode(to bytes: inout [UInt8]) {
        bytes.appendVarint(UInt64(columns.count))
        for column in columns { TimeColumn.encode(column, to: &bytes) }
        details.encode(to: &bytes)
    }

    /// Adds a group that ``encode(to:)`` has encoded.
    mutating func add(encoded bytes: UnsafeRawBufferPointer) throws(DamagedBytes) {
        try Self.read(bytes) { (column, reader) throws(DamagedBytes) in
            widen(to: column + 1)
            try TimeColumn.decode(&reader, to: &columns[column])
        } details: { (reader) throws(DamagedBytes) in
            try details.add(from: &reader)
        }
    }

    /// Reads a group that ``encode(to:)`` has encoded.
    ///
    /// - Parameters:
    ///   - columns: is called for each column, which it must read to its end.
    ///   - details: is called with the ``details`` where there are some, which it must read to their end.
    static func read(
        _ bytes: UnsafeRawBufferPointer,
        columns: (_ column: Int, inout ByteReader) throws(DamagedBytes) -> Void,
        details: (inout ByteReader) throws(DamagedBytes) -> Void = { $0.skipRest() }
    ) throws(DamagedBytes) {
        var reader = ByteReader(bytes)
        let count = try reader.index(below: columnCount(stepCount: Funnel.maximumStepCount) + 1)
        for column in 0..<count { try columns(column, &reader) }
        try details(&reader)
        guard reader.isAtEnd else { throw DamagedBytes() }
    }
}
