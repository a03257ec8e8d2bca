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
        _ details: inout ResultDetails,
        readUnit: (inout ByteReader) throws(DamagedBytes) -> StringTable.Index
    ) throws(DamagedBytes) {
        let day = try reader.signed()
        let code = try reader.index(below: 1 << 11)
        self = try DayBest(of: owner, day: day, code: code, details: details.end)
        for _ in 0..<timeCount { details.append(time: try reader.stepTime()) }
        guard Self.hasAmounts(code) else { return }
        amountCount = try reader.index(below: depth + 1)
        for _ in 0..<amountCount { details.append(try StepAmount(from: &reader, readUnit: readUnit)) }
    }

    /// Creates a result without its times and amounts.
    ///
    /// - Parameter code: the encoded depth, with what is above it.
    @inline(__always)
    init(of owner: Owner, day: Int64, code: Int, details: ResultDetails.Offset) throws(DamagedBytes) {
        let depth = code & 0x3F
        guard day >= InstallState.days.lowerBound, day <= InstallState.days.upperBound,
            depth >= 1, depth <= Funnel.maximumStepCount, code >> 6 & 7 <= Self.greatestEnding
        else { throw DamagedBytes() }
        self.init(owner: owner, day: Day(number: Int32(truncatingIfNeeded: day)), depth: depth, details: details)
        ending = UInt8(truncatingIfNeeded: code >> 6 & 7)
        isOutOfOrder = code >> 10 != 0
    }

    /// Whether amounts follow the times.
    @inline(__always)
    static func hasAmounts(_ code: Int) -> Bool { code >> 9 & 1 != 0 }
}

extension ByteReader {
    /// Reads the milliseconds from a step met to the next.
    @inline(__always)
    mutating func stepTime() throws(DamagedBytes) -> Int64 {
        Int64(try index(below: Int(Funnel.maximumWindow) + 1))
    }
}
