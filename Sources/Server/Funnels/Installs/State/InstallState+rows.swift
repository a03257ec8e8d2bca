// The rows of an install: that of its recent state, and the blocks of its history.
extension InstallState {
    // The years 0 to 9999 of RFC 3339, and one day for the offset of a time zone.
    static let times: ClosedRange<Int64> = -62_167_305_600_000...253_402_387_200_000

    static let days: ClosedRange<Int32> = -1_000_000...4_000_000

    // The first byte of every row and block.
    private static let codingVersion: UInt8 = 2

    private enum Mark {
        static let none: UInt8 = 0
        static let removed: UInt8 = 1
        static let capped: UInt8 = 2
    }

    /// Encodes the recent state for a store's row.
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
    /// Most installs with new events have no new matching event. Their events, which are most of the row, are not decoded then.
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

    /// Encodes a block of the history.
    mutating func block(_ number: Int64, _ range: Range<Int>, _ outcomes: [DayOutcome]) -> HistoryRow {
        let events = evidence[range]
        let state = encoding(atMost: 1 + greatestByteCount(events, outcomes)) { state, bytes in
            bytes.append(Self.codingVersion)
            state.encodeMatches(events, outcomes, into: &bytes)
        }
        return HistoryRow(number: number, state: state)
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
        guard try reader.byte() == Self.codingVersion else { throw DamagedBytes() }
        try sequences.decode(from: &reader)
        return reader.position
    }

    /// Reads the rest: the events, behind those that the state has already, and their outcomes. An empty rest is that of an
    /// install without any.
    mutating func decodeMatches(_ bytes: UnsafeRawBufferPointer, from rest: Int) throws(DamagedBytes) {
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[rest...]))
        guard !reader.isAtEnd else { return }
        try appendMatches(from: &reader)
        results.sortByOwner()
        try decodeBounds(from: &reader)
        guard reader.isAtEnd else { throw DamagedBytes() }
    }

    /// Replaces the state by a row with all of its history. No event and no outcome is archived then.
    mutating func decode(_ row: StoredInstall) throws(DamagedBytes) {
        let rest = try row.state.reading { bytes throws(DamagedBytes) in try decodeSequences(bytes) }
        if let index = try HistoryIndex(row.history) {
            for (number, block) in zip(Int64(1)..., try index.contents().blocks) {
                guard let row = row.history.row(number) else { throw DamagedBytes() }
                let count = evidence.count
                try row.state.reading { bytes throws(DamagedBytes) in
                    var reader = ByteReader(bytes)
                    guard try reader.byte() == Self.codingVersion else { throw DamagedBytes() }
                    try appendMatches(from: &reader)
                    guard reader.isAtEnd else { throw DamagedBytes() }
                }
                guard evidence.count - count == block.count, block.count == 0 || evidence.last?.time == block.lastTime
                else { throw DamagedBytes() }
            }
        }
        try row.state.reading { bytes throws(DamagedBytes) in try decodeMatches(bytes, from: rest) }
        results.sortByOwner()
        results = results.counting()
        for index in results.indices { (results[index].isArchived, results[index].isCut) = (false, false) }
    }

    /// Returns the bytes that `body` appends, in an array without spare capacity: most of them stay in the cache.
    ///
    /// - Parameter size: the greatest number of bytes.
    private mutating func encoding(
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

    /// Appends whether the install is capped, and the summary of its removed evidence.
    private func encodeBounds(into bytes: inout ByteSpace) {
        if isCapped { return bytes.append(Mark.capped) }
        guard let horizon = removed.horizon else { return bytes.append(Mark.none) }
        bytes.append(Mark.removed)
        bytes.appendSigned(horizon)
        removed.days.encode(into: &bytes)
    }

    private mutating func decodeBounds(from reader: inout ByteReader) throws(DamagedBytes) {
        switch try reader.byte() {
        case Mark.none: return
        case Mark.capped: isCapped = true
        case Mark.removed:
            let horizon = try reader.signed()
            guard Self.times.contains(horizon) else { throw DamagedBytes() }
            removed.horizon = horizon
            removed.days = try [DayCount](from: &reader)
        default: throw DamagedBytes()
        }
    }
}
