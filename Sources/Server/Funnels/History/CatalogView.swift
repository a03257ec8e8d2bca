import FlowEvents

/// The encoded catalog of an install's history, of which single parts are read.
///
/// One more event needs the numbers at its beginning and a search in the fingerprints, however many blocks there are.
struct CatalogView {
    private let rows: [HistoryRow]
    private let main: [UInt8]
    private let header: Header

    /// The numbers at the beginning of row 0, and where its parts are.
    private struct Header {
        var eventCount: Int
        var textByteCount: Int
        var lastTime: Int64
        var nextNumber: Int64
        var filterRowCount: Int
        var filter: Range<Int>
        var actors: Range<Int>
        var rest: Range<Int>

        init(_ bytes: UnsafeRawBufferPointer) throws(DamagedBytes) {
            var reader = ByteReader(bytes)
            guard try reader.byte() == Catalog.codingVersion else { throw DamagedBytes() }
            eventCount = try reader.index(below: 1 << 40)
            textByteCount = try reader.index(below: 1 << 50)
            lastTime = try reader.signed()
            nextNumber = Int64(try reader.index(below: 1 << 62))
            filterRowCount = try reader.index(below: 1 << 24)
            filter = try reader.countedRange()
            actors = try reader.countedRange()
            rest = reader.position..<bytes.count
        }
    }

    /// - Parameter rows: the rows of the history that were read, in order of their numbers.
    /// - Returns: `nil` where the install has no history.
    init?(_ rows: [HistoryRow]) throws(DamagedBytes) {
        guard let main = rows.last(where: { $0.number <= 0 }) else {
            guard rows.isEmpty else { throw DamagedBytes() }
            return nil
        }
        guard main.number == 0 else { throw DamagedBytes() }
        self.rows = rows
        self.main = main.state
        header = try main.state.reading(Header.init)
        let filterRows = rows.partitioningIndex { $0.number >= 0 }
        guard filterRows == header.filterRowCount else { throw DamagedBytes() }
    }

    /// The number of events in the blocks.
    var eventCount: Int { header.eventCount }
    /// The bytes of their texts.
    var textByteCount: Int { header.textByteCount }
    /// The time of the last event in the blocks; `nil` where they have results only.
    var lastTime: Int64? { header.eventCount > 0 ? header.lastTime : nil }
    /// A number that no block has, nor one after it.
    var nextNumber: Int64 { header.nextNumber }
    /// The number of rows that have fingerprints only.
    var filterRowCount: Int { header.filterRowCount }

    /// Whether an event, or an actor's result, with this fingerprint may be in the blocks.
    func mayContain(_ fingerprint: UInt32) -> Bool {
        main.withUnsafeBytes {
            FingerprintFilter.contains(fingerprint, in: UnsafeRawBufferPointer(rebasing: $0[header.filter]))
        }
            || rows.prefix(header.filterRowCount).contains { row in
                row.state.withUnsafeBytes { FingerprintFilter.contains(fingerprint, in: $0) }
            }
    }

    /// The open results of an actor; `nil` where the catalog does not have them.
    ///
    /// - Parameters:
    ///   - strings: the strings that the owner refers to; receives the texts of the units.
    ///   - details: receives the times and amounts.
    func actor(
        _ owner: DayOutcome.Owner,
        strings: inout StringTable,
        _ details: inout OutcomeDetails
    ) throws(DamagedBytes) -> Catalog.OpenActor? {
        // Owners are compared as bytes, because making the texts of each actor would take most of the time.
        let key = owner.encoded(strings)
        return try read(header.actors) { bytes throws(DamagedBytes) in
            let actor = try key.reading { key throws(DamagedBytes) in
                var reader = ByteReader(bytes)
                while !reader.isAtEnd {
                    let actor = try reader.counted()
                    if actor.hasPrefix(key) { return actor as UnsafeRawBufferPointer? }
                }
                return nil
            }
            guard let actor else { return nil }
            var rest = ByteReader(UnsafeRawBufferPointer(rebasing: actor[key.count...]))
            return try Catalog.OpenActor(owner, from: &rest, &strings, &details)
        }
    }

    /// The number of events in the blocks, by day.
    func days() throws(DamagedBytes) -> [DayCount] {
        try read(header.rest) { bytes throws(DamagedBytes) in
            var reader = ByteReader(bytes)
            return try [DayCount](from: &reader)
        }
    }

    /// The blocks.
    func entries() throws(DamagedBytes) -> [Catalog.Entry] {
        try read(header.rest) { bytes throws(DamagedBytes) in
            var reader = ByteReader(bytes)
            _ = try [DayCount](from: &reader)
            var entries: [Catalog.Entry] = []
            var time: Int64 = 0
            for _ in 0..<(try reader.count()) {
                var entry = Catalog.Entry(number: Int64(try reader.index(below: 1 << 62)))
                entry.count = try reader.index(below: 1 << 40)
                if entry.count > 0 {
                    entry.firstTime = time &+ (try reader.signed())
                    entry.lastTime = entry.firstTime &+ (try reader.signed())
                    guard InstallState.times.contains(entry.firstTime), InstallState.times.contains(entry.lastTime),
                        entry.firstTime <= entry.lastTime
                    else { throw DamagedBytes() }
                    time = entry.lastTime
                }
                guard entry.number > 0 else { throw DamagedBytes() }
                entries.append(entry)
            }
            guard reader.isAtEnd else { throw DamagedBytes() }
            return entries
        }
    }

    /// The fingerprints in row 0.
    func fingerprints() throws(DamagedBytes) -> [UInt32] {
        try read(header.filter) { bytes throws(DamagedBytes) in try FingerprintFilter.decode(bytes) }
    }

    /// Calls `body` with the encoded open results of each actor.
    func forEachActor(_ body: (inout ByteReader) throws(DamagedBytes) -> Void) throws(DamagedBytes) {
        try read(header.actors) { bytes throws(DamagedBytes) in
            var reader = ByteReader(bytes)
            while !reader.isAtEnd {
                var actor = ByteReader(try reader.counted())
                try body(&actor)
            }
        }
    }

    private func read<R>(
        _ range: Range<Int>,
        _ body: (UnsafeRawBufferPointer) throws(DamagedBytes) -> R
    ) throws(DamagedBytes) -> R {
        try main.reading { bytes throws(DamagedBytes) in
            try body(UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }
}

extension [UInt8] {
    /// Calls `body` with the bytes. Unlike the standard library's function, it keeps the type of the error.
    func reading<R>(_ body: (UnsafeRawBufferPointer) throws(DamagedBytes) -> R) throws(DamagedBytes) -> R {
        let result = withUnsafeBytes { bytes in Result { () throws(DamagedBytes) in try body(bytes) } }
        return try result.get()
    }
}

extension ByteReader {
    fileprivate mutating func countedRange() throws(DamagedBytes) -> Range<Int> {
        let count = try count()
        let start = position
        _ = try bytes(count)
        return start..<position
    }
}
