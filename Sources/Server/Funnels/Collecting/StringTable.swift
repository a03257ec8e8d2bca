/// Strings by index: each distinct sequence of bytes once.
///
/// The strings lie one after another in one array, each in the coding of `ByteCoding+text.swift`: so the strings of an
/// install's row are read and written all at once. A UUID in its canonical form takes 16 bytes there. Most sessions are
/// UUIDs.
struct StringTable {
    typealias Index = TableIndex<StringTable>

    private struct Entry {
        /// The start of the string in `bytes`, behind its length, and its end. Its coding begins where the string before
        /// ends.
        var start: UInt32
        var end: UInt32
        var isUUID: Bool

        init(_ range: Range<Int>, isUUID: Bool) {
            (start, end) = (UInt32(range.lowerBound), UInt32(range.upperBound))
            self.isUUID = isUUID
        }
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    // The hash of each string, and by hash their indices plus 1, 0 for an empty slot. Empty as long as the table is
    // small: comparing with a few strings is faster than hashing.
    private var hashes: [Int] = []
    private var slots: [Int32] = []
    private static let greatestScan = 64
    private static let uuidByteCount = 16
    private static let uuidTextByteCount = 36

    var count: Int { entries.count }

    /// The memory that the strings take, in bytes, approximately.
    var byteCount: Int { bytes.count + entries.count * 24 + slots.count * 4 }

    /// The number of bytes of all encoded strings.
    var encodedByteCount: Int { bytes.count }

    /// A number of bytes that all strings together do not exceed as text.
    var greatestTextByteCount: Int { bytes.count + entries.count * (Self.uuidTextByteCount - Self.uuidByteCount) }

    /// A string as text. Of a UUID, the text is made for each call.
    subscript(index: Index) -> ArraySlice<UInt8> {
        uuid(index)?.textInPlace[...] ?? bytes[range(index.offset)]
    }

    /// Calls `body` with a string as text.
    func withText<R>(_ index: Index, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        if let uuid = uuid(index) { return try uuid.withText(body) }
        return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range(index.offset)])) }
    }

    /// Calls `body` with the bytes of all strings, as ``text(_:in:uuid:)`` takes them.
    func withStorage<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { bytes.withUnsafeBytes { body($0) } }

    /// A string as text, without a copy.
    ///
    /// - Parameters:
    ///   - storage: the bytes of all strings.
    ///   - uuid: receives the text of a UUID: 36 bytes.
    func text(
        _ index: Index,
        in storage: UnsafeRawBufferPointer,
        uuid: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        guard let id = self.uuid(index) else { return UnsafeRawBufferPointer(rebasing: storage[range(index.offset)]) }
        id.withText { uuid.copyMemory(from: $0) }
        return UnsafeRawBufferPointer(uuid)
    }

    /// The number of bytes of a string as text.
    func length(_ index: Index) -> Int {
        entries[index.offset].isUUID ? Self.uuidTextByteCount : range(index.offset).count
    }

    /// Whether a string comes before another one, by the bytes of their texts.
    func precedes(_ lhs: Index, _ rhs: Index) -> Bool {
        guard let left = uuid(lhs), let right = uuid(rhs) else {
            return self[lhs].lexicographicallyPrecedes(self[rhs])
        }
        // Lower-case hexadecimal digits sort as their values do.
        return (left.high, left.low) < (right.high, right.low)
    }

    /// Appends strings by their offsets, in the coding of `ByteCoding+text.swift`.
    func encode(_ offsets: [Int], into sink: inout some ByteSink) {
        // Mostly the offsets follow each other.
        var start = 0
        while start < offsets.count {
            var end = start + 1
            while end < offsets.count, offsets[end] == offsets[end - 1] + 1 { end += 1 }
            encode(offsets[start]..<(offsets[end - 1] + 1), into: &sink)
            start = end
        }
    }

    private func encode(_ offsets: Range<Int>, into sink: inout some ByteSink) {
        let range = codingStart(offsets.lowerBound)..<Int(entries[offsets.upperBound - 1].end)
        bytes.withUnsafeBytes { sink.append(bytes: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Appends encoded strings, none of which is in the table yet.
    mutating func append(count: Int, from reader: inout ByteReader) throws(DamagedBytes) {
        var rest = reader
        let shift = bytes.count - rest.position
        entries.reserveCapacity(entries.count + count)
        for _ in 0..<count {
            let code = try rest.varint()
            guard code <= UInt64(Int.max) else { throw DamagedBytes() }
            let text = try rest.bytes(code == 0 ? Self.uuidByteCount : Int(code) - 1)
            // A UUID is always written in its 16 bytes.
            guard text.count != Self.uuidTextByteCount || EventID(uuid: text) == nil else { throw DamagedBytes() }
            let end = shift + rest.position
            entries.append(Entry(end - text.count..<end, isUUID: code == 0))
        }
        bytes.append(contentsOf: rest.bytes(from: reader.position))
        reader = rest
    }

    /// The index of a string, which is added if it is not in the table yet.
    mutating func intern(_ string: UnsafeRawBufferPointer) -> Index {
        if string.count == Self.uuidTextByteCount, let uuid = EventID(uuid: string) { return intern(uuid) }
        return intern(stored: string, isUUID: false)
    }

    /// The index of a string, which is added if it is not in the table yet.
    mutating func intern(_ string: some Collection<UInt8>) -> Index {
        string.withContiguousStorageIfAvailable { intern(UnsafeRawBufferPointer($0)) }
            ?? Array(string).withUnsafeBytes { intern($0) }
    }

    /// The index of a UUID, which is added if it is not in the table yet.
    mutating func intern(_ uuid: EventID) -> Index {
        uuid.withBytes { intern(stored: $0, isUUID: true) }
    }

    /// The index of a string of another table, which is added if it is not in this table yet.
    mutating func intern(_ index: Index, of other: StringTable) -> Index {
        other.bytes.withUnsafeBytes { bytes in
            let stored = UnsafeRawBufferPointer(rebasing: bytes[other.range(index.offset)])
            return intern(stored: stored, isUUID: other.entries[index.offset].isUUID)
        }
    }

    mutating func removeAll() {
        if entries.isEmpty { return }
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        if !hashes.isEmpty { hashes.removeAll(keepingCapacity: true) }
        if !slots.isEmpty { slots = [] }
    }

    private func range(_ offset: Int) -> Range<Int> { Int(entries[offset].start)..<Int(entries[offset].end) }

    private func codingStart(_ offset: Int) -> Int { offset == 0 ? 0 : Int(entries[offset - 1].end) }

    private func uuid(_ index: Index) -> EventID? {
        guard entries[index.offset].isUUID else { return nil }
        return bytes.withUnsafeBytes { EventID(bytes: UnsafeRawBufferPointer(rebasing: $0[range(index.offset)])) }
    }

    private mutating func append(stored string: UnsafeRawBufferPointer, isUUID: Bool) -> Index {
        if isUUID { bytes.append(0) } else { bytes.appendVarint(UInt64(string.count) + 1) }
        let start = bytes.count
        bytes.append(contentsOf: string)
        entries.append(Entry(start..<bytes.count, isUUID: isUUID))
        return Index(entries.count - 1)
    }

    private mutating func intern(stored string: UnsafeRawBufferPointer, isUUID: Bool) -> Index {
        guard count > Self.greatestScan else {
            // The string that was added last is the most likely one.
            for offset in entries.indices.reversed() where isEqual(offset, string, isUUID) { return Index(offset) }
            return append(stored: string, isUUID: isUUID)
        }
        hashStrings()
        var slot = Self.hash(string) & (slots.count - 1)
        while slots[slot] != 0 {
            let offset = Int(slots[slot]) - 1
            if isEqual(offset, string, isUUID) { return Index(offset) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return append(stored: string, isUUID: isUUID)
    }

    private func isEqual(_ offset: Int, _ string: UnsafeRawBufferPointer, _ isUUID: Bool) -> Bool {
        let range = range(offset)
        guard range.count == string.count, entries[offset].isUUID == isUUID else { return false }
        return bytes.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[range]).hasSameBytes(as: string) }
    }

    /// Enters the strings that were appended since the last call into `slots`.
    private mutating func hashStrings() {
        let first = hashes.count
        bytes.withUnsafeBytes { bytes in
            for offset in first..<entries.count {
                hashes.append(Self.hash(UnsafeRawBufferPointer(rebasing: bytes[range(offset)])))
            }
        }
        if entries.count * 2 > slots.count {
            slots = Array(repeating: 0, count: max(128, slots.count * 2))
            while entries.count * 2 > slots.count { slots += slots }
            for offset in hashes.indices { enter(offset) }
        } else {
            for offset in first..<entries.count { enter(offset) }
        }
    }

    private mutating func enter(_ offset: Int) {
        var slot = hashes[offset] & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(offset + 1)
    }

    private static func hash(_ string: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: string)
        return hasher.finalize()
    }
}
