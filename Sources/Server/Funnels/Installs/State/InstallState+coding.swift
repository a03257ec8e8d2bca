extension InstallState {
    // The years 0 to 9999 of RFC 3339, and one day for the offset of a time zone.
    static let times: ClosedRange<Int64> = -62_167_305_600_000...253_402_387_200_000

    static let days: ClosedRange<Int32> = -1_000_000...4_000_000

    // The first byte of every row. Bytes that begin with another number were written by another version.
    private static let codingVersion: UInt8 = 3
    // The version without a history.
    private static let secondCodingVersion: UInt8 = 2
    // This version had no sequences, and no bounds at its end.
    private static let firstCodingVersion: UInt8 = 1

    /// Encodes the state for a store's row: all but the evidence and the results of the blocks.
    mutating func encoded() -> [UInt8] {
        let recent = evidence[recentStart...]
        let size =
            1 + sequences.greatestEncodedByteCount + greatestByteCount(recent, results)
            + removed.days.greatestEncodedByteCount + 11
        return encoding(atMost: size) { state, bytes in
            state.encodeSequences(into: &bytes)
            let hasBounds = state.isCapped || state.removed != RemovedEvidence()
            guard !recent.isEmpty || !state.results.isEmpty || hasBounds else { return }
            state.encodeMatches(recent, state.results, into: &bytes)
            state.encodeBounds(into: &bytes)
        }
    }

    /// Encodes the sequences of this state, followed by the rest of an encoded state as it is.
    ///
    /// Most installs with new events have no new matching event. Their evidence, which is most of the row, is not
    /// decoded then.
    ///
    /// - Parameters:
    ///   - rest: the offset that ``decodeSequences(_:)`` returned for `bytes`.
    ///   - bytes: the encoded state that the sequences were read from.
    mutating func encodedSequences(before rest: Int, of bytes: [UInt8]) -> [UInt8] {
        encoding(atMost: 1 + sequences.greatestEncodedByteCount + bytes.count) { state, result in
            state.encodeSequences(into: &result)
            bytes.withUnsafeBytes { result.append(bytes: UnsafeRawBufferPointer(rebasing: $0[rest...])) }
        }
    }

    /// Returns the bytes that `body` appends, in an array without spare capacity: most of them stay in the cache.
    ///
    /// - Parameter size: the greatest number of bytes.
    mutating func encoding(
        atMost size: Int,
        _ body: (inout InstallState, inout ByteSpace) -> Void
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        swap(&bytes, &buffer)
        if bytes.count < size { bytes.append(contentsOf: repeatElement(0, count: max(size, 4096) - bytes.count)) }
        // Written in place, because an array checks for each byte that nothing else refers to it.
        let result = bytes.withUnsafeMutableBytes { memory in
            var space = ByteSpace(memory)
            body(&self, &space)
            return Array(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[..<space.count]))
        }
        swap(&bytes, &buffer)
        return result
    }

    private func encodeSequences(into bytes: inout ByteSpace) {
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
        case Self.codingVersion, Self.secondCodingVersion: try sequences.decode(from: &reader)
        case Self.firstCodingVersion: break
        default: throw DamagedBytes()
        }
        return reader.position
    }

    /// Reads the rest: the matching events, behind those that the state has already, and their results. An empty rest
    /// is that of an install without any.
    mutating func decodeMatches(_ bytes: UnsafeRawBufferPointer, from rest: Int) throws(DamagedBytes) {
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[rest...]))
        guard !reader.isAtEnd else { return }
        // Taken out, so that its memory is reused.
        var own: [DayOutcome] = []
        swap(&own, &results)
        defer { swap(&own, &results) }
        try appendMatches(from: &reader, results: &own)
        // The first version ended here, and such a row stays until the install has new matching events.
        if !reader.isAtEnd { try decodeBounds(from: &reader) }
        guard reader.isAtEnd else { throw DamagedBytes() }
    }
}
