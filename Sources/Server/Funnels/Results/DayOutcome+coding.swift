// The rank has 6 bits. Above them are the ending, in 3 bits, and one bit for each of these: amounts follow the times, a date
// comes twice, the steps follow, the outcome is archived, older ones were cut off, the place where the actor went follows the
// rest. The steps of an attempt that met no optional ones are as many as its rank. So an outcome without all these takes no
// more bytes than its rank.
extension DayOutcome {
    /// Encodes everything but the owner.
    ///
    /// - Parameters:
    ///   - details: the details of the install's results.
    ///   - appendText: appends the unit of an amount, or a place.
    @inline(__always)
    func encode<Sink: ByteSink>(
        _ details: OutcomeDetails,
        into bytes: inout Sink,
        appendText: (_ text: StringTable.Index, _ bytes: inout Sink) -> Void
    ) {
        bytes.appendSigned(Int64(day.number))
        let hasAmounts: UInt64 = amountCount == 0 ? 0 : 1
        let hasSteps = steps != FunnelRules.steps(ofRank: rank)
        bytes.appendVarint(
            UInt64(rank) | UInt64(endingCode) << 6 | hasAmounts << 9 | (isOutOfOrder ? 1 << 10 : 0)
                | (hasSteps ? 1 << 11 : 0) | (isArchived ? 1 << 12 : 0) | (isCut ? 1 << 13 : 0)
                | (hasNext ? 1 << 14 : 0)
        )
        if hasSteps { bytes.appendVarint(UInt64(steps)) }
        for index in 0..<timeCount { bytes.appendVarint(UInt64(details.time(index, of: self))) }
        if amountCount > 0 {
            bytes.appendVarint(UInt64(amountCount))
            for amount in details.amounts(of: self) { amount.encode(into: &bytes, appendUnit: appendText) }
        }
        if let next = details.next(of: self) { appendText(next, &bytes) }
    }

    /// Reads what ``encode(_:into:appendText:)`` has written.
    ///
    /// - Parameters:
    ///   - details: receives the details.
    ///   - readText: reads the unit of an amount, or a place.
    init(
        of owner: Owner,
        from reader: inout ByteReader,
        _ details: inout OutcomeDetails,
        readText: (inout ByteReader) throws(DamagedBytes) -> StringTable.Index
    ) throws(DamagedBytes) {
        self = try DayOutcome(of: owner, from: &reader, details: details.end)
        try details.appendTimes(of: self, from: &reader)
        try details.appendRest(of: &self, from: &reader, readText: readText)
    }

    /// Reads an outcome without its times and amounts. ``amountCount`` is 1 where amounts follow the times.
    @inline(__always)
    init(of owner: Owner, from reader: inout ByteReader, details: OutcomeDetails.Offset) throws(DamagedBytes) {
        let day = try reader.signed()
        let code = try reader.index(below: 1 << 15)
        let rank = code & 0x3F
        guard day >= InstallState.days.lowerBound, day <= InstallState.days.upperBound,
            rank >= 1, rank <= Funnel.maximumStepCount, code >> 6 & 7 <= Outcome.greatestEntryCount
        else { throw DamagedBytes() }
        var steps = FunnelRules.steps(ofRank: rank)
        if code >> 11 & 1 != 0 {
            steps = UInt32(try reader.index(below: 1 << 32))
            guard steps & 1 != 0, steps.nonzeroBitCount >= rank else { throw DamagedBytes() }
        }
        let number = Day(number: Int32(truncatingIfNeeded: day))
        self.init(owner: owner, day: number, steps: steps, rank: rank, details: details)
        endingCode = UInt8(truncatingIfNeeded: code >> 6 & 7)
        amountCount = code >> 9 & 1
        isOutOfOrder = code >> 10 & 1 != 0
        isArchived = code >> 12 & 1 != 0
        isCut = code >> 13 & 1 != 0
        hasNext = code >> 14 & 1 != 0
    }
}

extension OutcomeDetails {
    /// Reads the milliseconds from the first event of an attempt to those of its other steps.
    @inline(__always)
    mutating func appendTimes(of best: DayOutcome, from reader: inout ByteReader) throws(DamagedBytes) {
        var last = 0
        for _ in 0..<best.timeCount {
            let time = try reader.index(below: Int(Funnel.maximumWindow) + 1)
            guard time >= last else { throw DamagedBytes() }
            append(time: Int64(time))
            last = time
        }
    }

    /// Reads the amounts and the next place of an outcome whose times were appended.
    mutating func appendRest(
        of best: inout DayOutcome,
        from reader: inout ByteReader,
        readText: (inout ByteReader) throws(DamagedBytes) -> StringTable.Index
    ) throws(DamagedBytes) {
        if best.amountCount > 0 {
            best.amountCount = try reader.index(below: best.timeCount + 2)
            for _ in 0..<best.amountCount { append(try StepAmount(from: &reader, readUnit: readText)) }
        }
        if best.hasNext { append(next: try readText(&reader)) }
    }
}
