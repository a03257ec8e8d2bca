// The flags of the outcome say, from the lowest bit on: amounts follow the times; the attempt is near a date that comes twice; the
// outcome is archived; older ones are in the history only; the place where the actor went follows the rest.
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
        outcome.encode(
            flags: (amountCount > 0 ? 1 : 0) | (isOutOfOrder ? 1 << 1 : 0) | (isArchived ? 1 << 2 : 0)
                | (isCut ? 1 << 3 : 0) | (hasNext ? 1 << 4 : 0),
            into: &bytes
        )
        for index in 0..<timeCount { bytes.appendVarint(UInt64(details.time(index, of: self))) }
        if amountCount > 0 {
            bytes.appendVarint(UInt64(amountCount))
            for amount in details.amounts(of: self) { amount.encode(into: &bytes, appendUnit: appendText) }
        }
        if let next = details.next(of: self) { appendText(next, &bytes) }
    }

    /// Reads an outcome without its times and amounts. ``amountCount`` is 1 where amounts follow the times.
    @inline(__always)
    init(of owner: Owner, from reader: inout ByteReader, details: OutcomeDetails.Offset) throws(DamagedBytes) {
        let day = try reader.signed()
        guard day >= InstallState.days.lowerBound, day <= InstallState.days.upperBound else { throw DamagedBytes() }
        let (outcome, flags) = try Outcome.decode(from: &reader, flagCount: 5)
        self.init(owner: owner, day: Day(number: Int32(truncatingIfNeeded: day)), outcome, details: details)
        amountCount = flags & 1
        isOutOfOrder = flags >> 1 & 1 != 0
        isArchived = flags >> 2 & 1 != 0
        isCut = flags >> 3 & 1 != 0
        hasNext = flags >> 4 & 1 != 0
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
