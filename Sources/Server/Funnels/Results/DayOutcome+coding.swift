// The flags of the outcome say, from the lowest bit on: amounts follow the times; the attempt is near a date that comes
// twice; the outcome is archived; older ones are in the history only; the place where the actor went follows the rest.
extension DayOutcome {
    /// Appends the outcome and its details.
    ///
    /// - Parameters:
    ///   - details: the details of the install's outcomes.
    ///   - numbering: the new indices of the texts. The owner has them already.
    @inline(__always)
    func encode(_ details: OutcomeDetails, _ numbering: TableNumbering, into bytes: inout ByteSpace) {
        bytes.appendVarint(UInt64(owner.funnel))
        bytes.appendIndex(Int(owner.$actor.code))
        bytes.appendIndex(Int(owner.$value.code))
        bytes.appendSigned(Int64(day.number))
        outcome.encode(
            flags: (amountCount > 0 ? 1 : 0) | (isOutOfOrder ? 1 << 1 : 0) | (isArchived ? 1 << 2 : 0)
                | (isCut ? 1 << 3 : 0) | (hasNext ? 1 << 4 : 0),
            into: &bytes
        )
        for index in 0..<timeCount { bytes.appendVarint(UInt64(details.time(index, of: self))) }
        if amountCount > 0 {
            bytes.appendVarint(UInt64(amountCount))
            for amount in details.amounts(of: self) { amount.encode(numbering, into: &bytes) }
        }
        if let next = details.next(of: self) { bytes.appendVarint(UInt64(numbering.index(next))) }
    }

    /// Reads what ``encode(_:_:into:)`` has written.
    ///
    /// - Parameters:
    ///   - texts: the texts by their indices in the encoded table.
    ///   - funnelCount: the number of funnels.
    ///   - details: receives the details.
    @inline(__always)
    init(
        from reader: inout ByteReader,
        _ texts: [StringTable.Index],
        funnelCount: Int,
        into details: inout OutcomeDetails
    ) throws(DamagedBytes) {
        let funnel = try reader.index(below: funnelCount)
        let actor = try reader.optionalIndex(below: texts.count).map { texts[$0] }
        let value = try reader.optionalIndex(below: texts.count).map { texts[$0] }
        let day = try reader.signed()
        guard day >= InstallState.days.lowerBound, day <= InstallState.days.upperBound else { throw DamagedBytes() }
        let (outcome, flags) = try Outcome.decode(from: &reader, flagCount: 5)
        self.init(
            owner: Owner(funnel: funnel, actor: actor, value: value),
            day: Day(number: Int32(truncatingIfNeeded: day)),
            outcome,
            details: details.end
        )
        isOutOfOrder = flags >> 1 & 1 != 0
        isArchived = flags >> 2 & 1 != 0
        isCut = flags >> 3 & 1 != 0
        hasNext = flags >> 4 & 1 != 0
        var last = 0
        for _ in 0..<timeCount {
            let time = try reader.index(below: Int(Funnel.maximumWindow) + 1)
            guard time >= last else { throw DamagedBytes() }
            details.append(time: Int64(time))
            last = time
        }
        if flags & 1 != 0 {
            amountCount = try reader.index(below: timeCount + 2)
            for _ in 0..<amountCount { details.append(try StepAmount(from: &reader, texts)) }
        }
        if hasNext { details.append(next: texts[try reader.index(below: texts.count)]) }
    }
}

extension StepAmount {
    fileprivate func encode(_ numbering: TableNumbering, into bytes: inout ByteSpace) {
        guard case .amount(let amount, let unit) = self else { return bytes.append(0) }
        bytes.append(1)
        bytes.appendSigned(amount)
        bytes.appendVarint(UInt64(numbering.index(unit)))
    }

    @inline(__always)
    fileprivate init(from reader: inout ByteReader, _ texts: [StringTable.Index]) throws(DamagedBytes) {
        switch try reader.byte() {
        case 0: self = .without
        case 1:
            let amount = try reader.signed()
            guard Double(amount).magnitude <= Sum.maximumAmount else { throw DamagedBytes() }
            self = .amount(amount, unit: texts[try reader.index(below: texts.count)])
        default: throw DamagedBytes()
        }
    }
}
