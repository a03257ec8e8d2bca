extension InstallState {
    // The years 0 to 9999 of RFC 3339, and one day for the offset of a time zone.
    static let times: ClosedRange<Int64> = -62_167_305_600_000...253_402_387_200_000

    static let days: ClosedRange<Int32> = -1_000_000...4_000_000

    // The first byte of every row. Bytes that begin with another number were written by another version.
    private static let codingVersion: UInt8 = 2
    // This version had no sequences, and no bounds at its end.
    private static let firstCodingVersion: UInt8 = 1

    /// Encodes the state for a store's row.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + evidence.count * 28 + results.count * 10)
        encodeSequences(into: &bytes)
        let hasBounds = isCapped || removed != RemovedEvidence()
        guard !evidence.isEmpty || !results.isEmpty || hasBounds else { return bytes }
        bytes.appendVarint(UInt64(strings.count))
        for string in strings.strings { bytes.appendText(string) }
        encodeSignatures(into: &bytes)
        encodeEvidence(into: &bytes)
        encodeResults(into: &bytes)
        encodeBounds(into: &bytes)
        return bytes
    }

    /// Encodes the sequences of this state, followed by the rest of an encoded state as it is.
    ///
    /// Most installs with new events have no new matching event. Their evidence, which is most of the row, is not
    /// decoded then.
    ///
    /// - Parameters:
    ///   - rest: the offset that ``decodeSequences(_:)`` returned for `bytes`.
    ///   - bytes: the encoded state that the sequences were read from.
    func encodedSequences(before rest: Int, of bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(16 + bytes.count)
        encodeSequences(into: &result)
        result += bytes[rest...]
        return result
    }

    private func encodeSequences(into bytes: inout [UInt8]) {
        bytes.append(Self.codingVersion)
        sequences.encode(into: &bytes)
    }

    /// Replaces the state by the encoded state in `bytes`. No bytes are the state of a new install.
    mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(DamagedBytes) {
        try decodeMatches(bytes, from: try decodeSequences(bytes))
    }

    /// Replaces the state by the sequences of the encoded state in `bytes`.
    ///
    /// - Returns: the offset of the rest.
    mutating func decodeSequences(_ bytes: UnsafeRawBufferPointer) throws(DamagedBytes) -> Int {
        removeAll()
        guard !bytes.isEmpty else { return 0 }
        var reader = ByteReader(bytes)
        switch try reader.byte() {
        case Self.codingVersion: try sequences.decode(from: &reader)
        case Self.firstCodingVersion: break
        default: throw DamagedBytes()
        }
        return reader.position
    }

    /// Reads the rest: the matching events and their results. An empty rest is that of an install without any.
    mutating func decodeMatches(_ bytes: UnsafeRawBufferPointer, from rest: Int) throws(DamagedBytes) {
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[rest...]))
        guard !reader.isAtEnd else { return }
        for _ in 0..<(try reader.count()) { strings.append(try reader.text()) }
        try decodeSignatures(from: &reader)
        try decodeEvidence(from: &reader)
        try decodeResults(from: &reader)
        // The first version ended here, and such a row stays until the install has new matching events.
        if !reader.isAtEnd { try decodeBounds(from: &reader) }
        guard reader.isAtEnd else { throw DamagedBytes() }
    }

    private func encodeSignatures(into bytes: inout [UInt8]) {
        bytes.appendVarint(UInt64(signatures.count))
        let funnels = 0..<signatures.funnelCount
        for signature in (0..<signatures.count).lazy.map(SignatureTable.Index.init) {
            let matched = funnels.count { signatures.mask(signature, funnel: $0) != 0 }
            bytes.appendVarint(UInt64(matched))
            for funnel in funnels where signatures.mask(signature, funnel: funnel) != 0 {
                bytes.appendVarint(UInt64(funnel))
                bytes.appendVarint(UInt64(signatures.mask(signature, funnel: funnel)))
                bytes.appendIndex(CompactIndex(wrappedValue: signatures.value(signature, funnel: funnel)))
            }
        }
    }

    private mutating func decodeSignatures(from reader: inout ByteReader) throws(DamagedBytes) {
        let funnelCount = signatures.funnelCount
        for _ in 0..<(try reader.count()) {
            for funnel in 0..<funnelCount {
                masks[funnel] = 0
                values[funnel].wrappedValue = nil
            }
            for _ in 0..<(try reader.count()) {
                let funnel = try reader.index(below: funnelCount)
                masks[funnel] = UInt32(try reader.index(below: 1 << 32))
                values[funnel].wrappedValue = try reader.optionalIndex(in: strings)
            }
            signatures.append(masks: masks, values: values)
        }
    }

    private func encodeEvidence(into bytes: inout [UInt8]) {
        bytes.appendVarint(UInt64(evidence.count))
        var time: Int64 = 0
        var sequence: Int64 = 0
        for event in evidence {
            bytes.appendSigned(event.time - time)
            bytes.appendSigned(event.sequence &- sequence)
            (time, sequence) = (event.time, event.sequence)
            bytes.appendVarint(UInt64(event.source.offset))
            bytes.appendIndex(event.$session)
            bytes.appendVarint(UInt64(event.signature.offset))
            if let text = event.id.text {
                bytes.appendCounted(idTexts[text])
            } else {
                bytes.appendUUID(event.id)
            }
        }
    }

    private mutating func decodeEvidence(from reader: inout ByteReader) throws(DamagedBytes) {
        let count = try reader.count()
        evidence.reserveCapacity(count)
        var time: Int64 = 0
        var sequence: Int64 = 0
        for _ in 0..<count {
            let earlier = time
            time &+= try reader.signed()
            sequence &+= try reader.signed()
            guard Self.times.contains(time), evidence.isEmpty || earlier <= time else { throw DamagedBytes() }
            let source = StringTable.Index(try reader.index(below: strings.count))
            let session = try reader.optionalIndex(in: strings)
            let signature = SignatureTable.Index(try reader.index(below: signatures.count))
            let id: EventID
            if let uuid = try reader.uuid() { id = uuid } else { id = idTexts.append(Array(try reader.counted())) }
            evidence.append(
                Evidence(
                    time: time,
                    sequence: sequence,
                    id: id,
                    source: source,
                    session: session,
                    signature: signature
                )
            )
        }
    }

    private func encodeResults(into bytes: inout [UInt8]) {
        bytes.appendVarint(UInt64(results.count))
        for best in results {
            bytes.appendVarint(UInt64(best.owner.funnel))
            bytes.appendIndex(best.owner.$session)
            bytes.appendIndex(best.owner.$value)
            bytes.appendSigned(Int64(best.day.number))
            bytes.appendVarint(UInt64(best.depth))
            for time in best.times { bytes.appendVarint(UInt64(time)) }
        }
    }

    private mutating func decodeResults(from reader: inout ByteReader) throws(DamagedBytes) {
        let count = try reader.count()
        results.reserveCapacity(count)
        for _ in 0..<count {
            let owner = DayBest.Owner(
                funnel: try reader.index(below: signatures.funnelCount),
                session: try reader.optionalIndex(in: strings),
                value: try reader.optionalIndex(in: strings)
            )
            guard let day = Int32(exactly: try reader.signed()), Self.days.contains(day) else {
                throw DamagedBytes()
            }
            let depth = try reader.index(below: Funnel.maximumStepCount + 1)
            guard depth > 0 else { throw DamagedBytes() }
            var times: [Int64] = []
            if depth > 1 {
                times.reserveCapacity(depth - 1)
                for _ in 1..<depth { times.append(Int64(try reader.index(below: Int(Funnel.maximumWindow) + 1))) }
            }
            let best = DayBest(owner: owner, day: Day(number: day), depth: depth, times: times)
            if let last = results.last, (last.owner, last.day) >= (best.owner, best.day) { throw DamagedBytes() }
            results.append(best)
        }
    }
}

// A UUID is encoded as 0 and its 16 bytes, any other id as its length, which is never 0, and its bytes.
extension [UInt8] {
    fileprivate mutating func appendIndex(_ index: CompactIndex<StringTable>) {
        appendVarint(UInt64(index.code))
    }

    fileprivate mutating func appendUUID(_ id: EventID) {
        append(0)
        Swift.withUnsafeBytes(of: id.high.bigEndian) { append(contentsOf: $0) }
        Swift.withUnsafeBytes(of: id.low.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends a string. Most sessions are UUIDs. The length of any other string is stored plus 1, so that an empty
    /// string differs from a UUID.
    fileprivate mutating func appendText(_ text: [UInt8]) {
        if let uuid = text.withUnsafeBytes({ EventID(uuid: $0) }) { return appendUUID(uuid) }
        appendVarint(UInt64(text.count) + 1)
        append(contentsOf: text)
    }
}

extension ByteReader {
    fileprivate mutating func optionalIndex(in strings: StringTable) throws(DamagedBytes) -> StringTable.Index? {
        CompactIndex(code: try index(below: strings.count + 1)).wrappedValue
    }

    /// Reads a UUID; `nil` where the next value is not a UUID, which is not read then.
    fileprivate mutating func uuid() throws(DamagedBytes) -> EventID? {
        var ahead = self
        guard try ahead.byte() == 0 else { return nil }
        let high = UInt64(bigEndian: try ahead.bytes(8).loadUnaligned(as: UInt64.self))
        let low = UInt64(bigEndian: try ahead.bytes(8).loadUnaligned(as: UInt64.self))
        self = ahead
        return EventID(high: high, low: low)
    }

    fileprivate mutating func text() throws(DamagedBytes) -> [UInt8] {
        if let uuid = try uuid() { return uuid.uuidText }
        let count = try varint()
        guard count > 0, let length = Int(exactly: count - 1) else { throw DamagedBytes() }
        return Array(try bytes(length))
    }
}
