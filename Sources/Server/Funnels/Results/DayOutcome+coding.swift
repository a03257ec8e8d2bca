// The flags of the outcome say, from the lowest bit on: details follow the times; the attempt is near a date that comes twice;
// the outcome is archived; older ones are in the history only.
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
            flags: (detailCount > 0 ? 1 : 0) | (isOutOfOrder ? 1 << 1 : 0) | (isArchived ? 1 << 2 : 0)
                | (isCut ? 1 << 3 : 0),
            into: &bytes
        )
        for index in 0..<timeCount { bytes.appendVarint(UInt64(details.time(index, of: self))) }
        guard detailCount > 0 else { return }
        bytes.appendVarint(UInt64(detailCount))
        details.forEach(of: self) { $0.encode(numbering, into: &bytes) }
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
        let (outcome, flags) = try Outcome.decode(from: &reader, flagCount: 4)
        self.init(
            owner: Owner(funnel: funnel, actor: actor, value: value),
            day: Day(number: Int32(truncatingIfNeeded: day)),
            outcome,
            details: details.end
        )
        isOutOfOrder = flags >> 1 & 1 != 0
        isArchived = flags >> 2 & 1 != 0
        isCut = flags >> 3 & 1 != 0
        var last = 0
        for _ in 0..<timeCount {
            let time = try reader.index(below: Int(Funnel.maximumWindow) + 1)
            guard time >= last else { throw DamagedBytes() }
            details.append(time: Int64(time))
            last = time
        }
        guard flags & 1 != 0 else { return }
        detailCount = try reader.index(below: OutcomeDetail.Subject.codeCount)
        for _ in 0..<detailCount { details.append(try OutcomeDetail(from: &reader, texts)) }
    }
}

// The subject, the text, and the amount where it is not 0, which the lowest bit says.
extension OutcomeDetail {
    fileprivate func encode(_ numbering: TableNumbering, into bytes: inout ByteSpace) {
        bytes.appendVarint(UInt64(subject.code) << 1 | (amount == 0 ? 0 : 1))
        bytes.appendIndex(numbering.code(text))
        if amount != 0 { bytes.appendSigned(amount) }
    }

    @inline(__always)
    fileprivate init(from reader: inout ByteReader, _ texts: [StringTable.Index]) throws(DamagedBytes) {
        let code = try reader.index(below: Subject.codeCount << 1)
        subject = Subject(code: code >> 1)
        text = try reader.optionalIndex(below: texts.count).map { texts[$0] }
        guard code & 1 != 0 else { return }
        amount = try reader.signed()
        guard Double(amount).magnitude <= Sum.maximumAmount else { throw DamagedBytes() }
    }
}
