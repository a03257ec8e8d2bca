// The depth has 6 bits. Above them are the ending, in 3 bits, one bit that says whether amounts follow the times, and one
// bit for a date that comes twice. So a result without these takes no more bytes than its depth.
extension DayBest {
    /// Encodes everything but the owner.
    ///
    /// - Parameters:
    ///   - details: the details of the install's results.
    ///   - appendUnit: appends the unit of an amount.
    @inline(__always)
    func encode<Sink: ByteSink>(
        _ details: ResultDetails,
        into bytes: inout Sink,
        appendUnit: (_ unit: StringTable.Index, _ bytes: inout Sink) -> Void
    ) {
        bytes.appendSigned(Int64(day.number))
        let hasAmounts: UInt64 = amountCount == 0 ? 0 : 1
        bytes.appendVarint(UInt64(depth) | UInt64(ending) << 6 | hasAmounts << 9 | (isOutOfOrder ? 1 << 10 : 0))
        if timeCount > 0 { for time in details.times(of: self) { bytes.appendVarint(UInt64(time)) } }
        guard amountCount > 0 else { return }
        bytes.appendVarint(UInt64(amountCount))
        for amount in details.amounts(of: self) { amount.encode(into: &bytes, appendUnit: appendUnit) }
    }

    /// Reads what ``encode(_:into:appendUnit:)`` has written.
    ///
    /// - Parameters:
    ///   - details: receives the times and amounts.
    ///   - readUnit: reads the unit of an amount.
    @inline(__always)
    init(
        of owner: Owner,
        from reader: inout ByteReader,
        _ details: inout ResultDetails,
        readUnit: (inout ByteReader) throws(DamagedBytes) -> StringTable.Index
    ) throws(DamagedBytes) {
        guard let day = Int32(exactly: try reader.signed()), InstallState.days.contains(day) else {
            throw DamagedBytes()
        }
        let code = try reader.index(below: 1 << 11)
        let (depth, ending) = (code & 0x3F, UInt8(code >> 6 & 7))
        guard (1...Funnel.maximumStepCount).contains(depth), ending <= Self.greatestEnding else {
            throw DamagedBytes()
        }
        self.init(owner: owner, day: Day(number: day), depth: depth, details: details.end)
        self.ending = ending
        isOutOfOrder = code >> 10 != 0
        for _ in 1..<depth { details.append(time: Int64(try reader.index(below: Int(Funnel.maximumWindow) + 1))) }
        guard code >> 9 & 1 != 0 else { return }
        amountCount = try reader.index(below: depth + 1)
        for _ in 0..<amountCount { details.append(try StepAmount(from: &reader, readUnit: readUnit)) }
    }
}
