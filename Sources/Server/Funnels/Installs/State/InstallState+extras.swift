// The coding of what a signature has beside steps and a breakdown value, which depends on the funnel's definition.
extension InstallState {
    /// Appends the exclusions, the actor and the amounts of a funnel, as far as its definition has them.
    func encodeExtras(_ signature: SignatureTable.Index, funnel: Int, into bytes: inout ByteSpace) {
        let layout = signatures.layout
        if layout.hasExclusions[funnel] {
            bytes.appendVarint(UInt64(signatures.exclusions(signature, funnel: funnel)))
        }
        if layout.hasActors[funnel] {
            bytes.appendIndex(numbering.code(signatures.actor(signature, funnel: funnel).wrappedValue))
        }
        let mask = signatures.mask(signature, funnel: funnel)
        // A closure that refers to the numbering through this state would copy all of the state.
        let numbering = numbering
        for sum in layout.sums[funnel] where mask & layout.sumSteps[sum] != 0 {
            signatures.amount(signature, sum: sum).encode(into: &bytes) { unit, bytes in
                bytes.appendVarint(UInt64(numbering.index(unit)))
            }
        }
    }

    /// Reads what ``encodeExtras(_:funnel:into:)`` has written to ``match``, which has the steps already.
    ///
    /// - Parameters:
    ///   - text: reads a text.
    ///   - optionalText: reads a text that may be missing.
    mutating func decodeExtras(
        funnel: Int,
        from reader: inout ByteReader,
        text: (inout ByteReader) throws(DamagedBytes) -> StringTable.Index,
        optionalText: (inout ByteReader) throws(DamagedBytes) -> StringTable.Index?
    ) throws(DamagedBytes) {
        let layout = signatures.layout
        if layout.hasExclusions[funnel] { match.exclusions[funnel] = UInt32(try reader.index(below: 1 << 32)) }
        if layout.hasActors[funnel] {
            match.actors[funnel].wrappedValue = try optionalText(&reader)
        }
        for sum in layout.sums[funnel] where match.steps[funnel] & layout.sumSteps[sum] != 0 {
            match.amounts[sum] = try StepAmount(from: &reader, readUnit: text)
        }
    }
}

extension StepAmount {
    /// Appends an amount of an event that matches the step.
    ///
    /// - Parameter appendUnit: appends the unit.
    func encode<Sink: ByteSink>(
        into bytes: inout Sink,
        appendUnit: (_ unit: StringTable.Index, _ bytes: inout Sink) -> Void
    ) {
        guard case .amount(let amount, let unit) = self else { return bytes.append(0) }
        bytes.append(1)
        bytes.appendSigned(amount)
        appendUnit(unit, &bytes)
    }

    /// Reads what ``encode(into:appendUnit:)`` has written.
    init(
        from reader: inout ByteReader,
        readUnit: (inout ByteReader) throws(DamagedBytes) -> StringTable.Index
    ) throws(DamagedBytes) {
        switch try reader.byte() {
        case 0: self = .without
        case 1:
            let amount = try reader.signed()
            guard Double(amount).magnitude <= Sum.maximumAmount else { throw DamagedBytes() }
            self = .amount(amount, unit: try readUnit(&reader))
        default: throw DamagedBytes()
        }
    }
}
