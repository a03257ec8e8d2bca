// The rank has 6 bits. Above them are the ending, in 3 bits, and one bit for each of these: amounts follow the times, a date
// comes twice, the steps follow, the outcome is archived, older ones were cut off. The steps of an attempt that met no optional
// ones are as many as its rank. So an outcome without all these takes no more bytes than its rank.
extension DayOutcome {
    /// Encodes everything but the owner.
    ///
    /// - Parameters:
    ///   - details: the details of the install's results.
    ///   - appendUnit: appends the unit of an amount.
    @inline(__always)
    func encode<Sink: ByteSink>(
        _ details: OutcomeDetails,
        into bytes: inout Sink,
        appendUnit: (_ unit: StringTable.Index, _ bytes: inout Sink) -> Void
    ) {
        bytes.appendSigned(Int64(day.number))
        let hasAmounts: UInt64 = amountCount == 0 ? 0 : 1
        let hasSteps = steps != FunnelRules.steps(ofRank: rank)
        bytes.appendVarint(
            UInt64(rank) | UInt64(endingCode) << 6 | hasAmounts << 9 | (isOutOfOrder ? 1 << 10 : 0)
                | (hasSteps ? 1 << 11 : 0) | (isArchived ? 1 << 12 : 0) | (isCut ? 1 << 13 : 0)
        )
        if hasSteps { bytes.appendVarint(UInt64(steps)) }
        for index in 0..<timeCount { bytes.appendVarint(UInt64(details.time(index, of: self))) }
        guard amountCount > 0 else { return }
        bytes.appendVarint(UInt64(amountCount))
        for amount in details.amounts(of: self) { amount.encode(into: &bytes, appendUnit: appendUnit) }
    }

    /// Reads what ``encode(_:into:appendUnit:)`` has written.
    ///
    /// - Parameters:
    ///   - details: receives the times and amounts.
    ///   - readUnit: reads the unit of an amount.
    init(
        of owner: Owner,
        from reader: inout ByteReader,
        _ details: inout OutcomeDetails,
        readUnit: (inout ByteReader) throws(DamagedBytes) -> StringTable.Index
    ) throws(DamagedBytes) {
        self = try DayOutcome(of: owner, from: &reader, details: details.end)
        try details.appendTimes(of: self, from: &reader)
        guard amountCount > 0 else { return }
        amountCount = try reader.index(below: timeCount + 2)
        for _ in 0..<amountCount { details.append(try StepAmount(from: &reader, readUnit: readUnit)) }
    }

    /// Reads an outcome without its times and amounts. ``amountCount`` is 1 where amounts follow the times.
    @inline(__always)
    init(of owner: Owner, from reader: inout ByteReader, details: OutcomeDetails.Offset) throws(DamagedBytes) {
        let day = try reader.signed()
        let code = try reader.index(below: 1 << 14)
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
}
