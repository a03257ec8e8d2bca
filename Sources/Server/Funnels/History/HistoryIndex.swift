import FlowEvents

/// What a commit must know of the blocks of an install's history without reading them: the rows 0 and less of the history.
///
/// Row 0 has numbers, fingerprints and the list of the blocks. Where it has many fingerprints, they go to a row of their own,
/// number −1, then −2 and so on, so that they are not written again.
///
/// One more event needs the numbers at its beginning and a search in the fingerprints, however many blocks there are. So only
/// these are read at first.
struct HistoryIndex {
    /// A block. The first one is row 1 of the history, the next one row 2.
    struct Block: Equatable {
        /// The number of its events; 0 for a block that has outcomes only.
        var count: Int
        /// The time of its last event. A block without events has the time of the one before it.
        var lastTime: Int64
    }

    /// The number of events in the blocks.
    private(set) var eventCount = 0
    /// The bytes of their texts.
    private(set) var textByteCount = 0
    /// The time of the last event in the blocks; `Int64.min` where they have none.
    private(set) var lastTime = Int64.min
    private let rows: [HistoryRow]
    private let bytes: [UInt8]
    private let filter: Range<Int>
    private let rest: Int

    static let rowNumber: Int64 = 0
    private static let codingVersion: UInt8 = 1

    /// - Parameter rows: the rows of the history that were read, in order of their numbers.
    /// - Returns: `nil` where the install has no history.
    init?(_ rows: [HistoryRow]) throws(DamagedBytes) {
        guard let first = rows.first else { return nil }
        let position = rows.partitioningIndex { $0.number >= Self.rowNumber }
        guard position < rows.count, rows[position].number == Self.rowNumber, first.number == Int64(-position) else {
            throw DamagedBytes()
        }
        self.rows = Array(rows[..<position])
        bytes = rows[position].state
        (eventCount, textByteCount, lastTime, filter, rest) = try bytes.reading {
            bytes throws(DamagedBytes) in
            var reader = ByteReader(bytes)
            guard try reader.byte() == Self.codingVersion else { throw DamagedBytes() }
            let count = try reader.index(below: 1 << 40)
            let textByteCount = try reader.index(below: 1 << 50)
            let lastTime = count == 0 ? Int64.min : try reader.signed()
            let size = try reader.count()
            let start = reader.position
            _ = try reader.bytes(size)
            return (count, textByteCount, lastTime, start..<reader.position, reader.position)
        }
    }

    /// Whether an event, or an outcome of an actor, with this fingerprint may be in the blocks.
    func mayContain(_ fingerprint: UInt32) -> Bool {
        bytes.withUnsafeBytes {
            FingerprintFilter.contains(fingerprint, in: UnsafeRawBufferPointer(rebasing: $0[filter]))
        }
            || rows.contains { row in row.state.withUnsafeBytes { FingerprintFilter.contains(fingerprint, in: $0) } }
    }

    /// The events in the blocks by day, and the blocks in order of their events.
    func contents() throws(DamagedBytes) -> (days: [DayCount], blocks: [Block]) {
        try bytes.reading { bytes throws(DamagedBytes) in
            var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[rest...]))
            let days = try [DayCount](from: &reader)
            var blocks: [Block] = []
            for _ in 0..<(try reader.count()) {
                let count = try reader.index(below: 1 << 40)
                var block = Block(count: count, lastTime: blocks.last?.lastTime ?? .min)
                if block.count > 0 {
                    block.lastTime = try reader.signed()
                    guard InstallState.times.contains(block.lastTime) else { throw DamagedBytes() }
                }
                guard blocks.last.map({ $0.lastTime <= block.lastTime }) ?? true else { throw DamagedBytes() }
                blocks.append(block)
            }
            guard reader.isAtEnd else { throw DamagedBytes() }
            return (days, blocks)
        }
    }

    /// The rows after blocks were added.
    ///
    /// - Parameters:
    ///   - index: the index before; `nil` where there was none.
    ///   - added: the fingerprints of the added events and of the actors of added outcomes.
    ///   - days: all events in the blocks, by day.
    ///   - limit: the greatest number of fingerprints in one row.
    /// - Returns: row 0 and the rows that are new, in order of their numbers.
    static func rows(
        after index: HistoryIndex?,
        adding added: [UInt32],
        _ days: [DayCount],
        _ blocks: [Block],
        limit: Int
    ) throws(DamagedBytes) -> [HistoryRow] {
        var rows: [HistoryRow] = []
        var fingerprints =
            try index.map { index throws(DamagedBytes) in
                try index.bytes.reading { bytes throws(DamagedBytes) in
                    try FingerprintFilter.decode(UnsafeRawBufferPointer(rebasing: bytes[index.filter]))
                }
            } ?? []
        var rest = added[...]
        var number = Int64(-(index?.rows.count ?? 0))
        repeat {
            if !fingerprints.isEmpty, fingerprints.count + rest.count > limit {
                number -= 1
                rows.insert(HistoryRow(number: number, state: FingerprintFilter.encode(fingerprints.sorted())), at: 0)
                fingerprints = []
            }
            fingerprints += rest.prefix(limit)
            rest = rest.dropFirst(limit)
        } while !rest.isEmpty
        return rows + [row(fingerprints.sorted(), days, blocks)]
    }

    private static func row(_ fingerprints: [UInt32], _ days: [DayCount], _ blocks: [Block]) -> HistoryRow {
        var bytes: [UInt8] = [codingVersion]
        bytes.reserveCapacity(64 + fingerprints.count * 4 + blocks.count * 12)
        let count = days.reduce(0) { $0 + $1.count }
        bytes.appendVarint(UInt64(count))
        bytes.appendVarint(UInt64(days.reduce(0) { $0 + $1.bytes }))
        if count > 0 { bytes.appendSigned(blocks.last?.lastTime ?? 0) }
        bytes.appendCounted(FingerprintFilter.encode(fingerprints))
        days.encode(into: &bytes)
        bytes.appendVarint(UInt64(blocks.count))
        for block in blocks {
            bytes.appendVarint(UInt64(block.count))
            if block.count > 0 { bytes.appendSigned(block.lastTime) }
        }
        return HistoryRow(number: rowNumber, state: bytes)
    }
}

extension [UInt8] {
    /// Calls `body` with the bytes. Unlike the standard library's function, it keeps the type of the error.
    func reading<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        let result = withUnsafeBytes { bytes in Result { () throws(E) in try body(bytes) } }
        return try result.get()
    }
}

extension [HistoryRow] {
    /// The row with a number. The rows are in order of their numbers.
    func row(_ number: Int64) -> HistoryRow? {
        let index = partitioningIndex { $0.number >= number }
        return index < count && self[index].number == number ? self[index] : nil
    }

    /// The rows to write so that this history becomes `new`. Both are in order of their numbers.
    func changes(to new: [HistoryRow]) -> [HistoryRow] {
        filter { new.row($0.number) == nil }.map { HistoryRow(number: $0.number, state: []) }
            + new.filter { row($0.number) != $0 }
    }

    /// The rows of the index.
    var index: [HistoryRow] { filter { $0.number <= HistoryIndex.rowNumber } }

    /// The index of the history after some rows were written.
    func index(after written: [HistoryRow]) -> [HistoryRow] {
        guard written.contains(where: { $0.number <= HistoryIndex.rowNumber }) else { return index }
        var rows = Dictionary(uniqueKeysWithValues: index.map { ($0.number, $0) })
        for row in written { rows[row.number] = row.state.isEmpty ? nil : row }
        return rows.values.sorted { $0.number < $1.number }.index
    }
}
