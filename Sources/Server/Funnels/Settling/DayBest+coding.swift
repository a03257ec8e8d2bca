// The depth has 6 bits. Above them are the ending, in 3 bits, one bit that says whether amounts follow the times, and one
// bit for a date that comes twice. So a result without these takes no more bytes than its depth.
extension DayBest {
    /// Encodes everything but the owner.
    ///
    /// - Parameter appendUnit: appends the unit of an amount.
    @inline(__always)
    func encode<Sink: ByteSink>(
        into bytes: inout Sink,
        appendUnit: (_ unit: StringTable.Index, _ bytes: inout Sink) -> Void
    ) {
        bytes.appendSigned(Int64(day.number))
        let hasAmounts: UInt64 = amounts.isEmpty ? 0 : 1
        bytes.appendVarint(UInt64(depth) | UInt64(ending) << 6 | hasAmounts << 9 | (isOutOfOrder ? 1 << 10 : 0))
        for time in times { bytes.appendVarint(UInt64(time)) }
        guard !amounts.isEmpty else { return }
        bytes.appendVarint(UInt64(amounts.count))
        for amount in amounts { amount.encode(into: &bytes, appendUnit: appendUnit) }
    }

    /// Reads what ``encode(into:appendUnit:)`` has written.
    ///
    /// - Parameter readUnit: reads the unit of an amount.
    init(
        of owner: Owner,
        from reader: inout ByteReader,
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
        var times: [Int64] = []
        if depth > 1 {
            times.reserveCapacity(depth - 1)
            for _ in 1..<depth { times.append(Int64(try reader.index(below: Int(Funnel.maximumWindow) + 1))) }
        }
        self.init(owner: owner, day: Day(number: day), depth: depth, times: times)
        self.ending = ending
        isOutOfOrder = code >> 10 != 0
        guard code >> 9 & 1 != 0 else { return }
        for _ in 0..<(try reader.index(below: depth + 1)) {
            amounts.append(try StepAmount(from: &reader, readUnit: readUnit))
        }
    }
}
