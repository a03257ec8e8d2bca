/// Strings by index: each distinct sequence of bytes once.
struct StringTable {
    typealias Index = TableIndex<StringTable>

    private var texts = TextList()
    // Empty as long as the table is small: comparing with a few strings is faster than hashing.
    private var slots = HashSlots()
    private static let greatestScan = 64

    var count: Int { texts.count }

    /// The memory that the strings take, in bytes, approximately.
    var byteCount: Int { texts.byteCount + slots.byteCount }

    /// The number of bytes of all strings together.
    var textByteCount: Int { texts.textByteCount }

    /// A string.
    subscript(index: Index) -> ArraySlice<UInt8> { texts[index.offset] }

    /// The number of bytes of a string.
    func length(_ index: Index) -> Int { texts.length(index.offset) }

    /// Calls `body` with a string. The bytes are valid during the call.
    @inline(__always)
    func withText<R>(_ index: Index, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try texts.withText(index.offset, body)
    }

    /// Calls `body` with all strings in place, by their offsets. The bytes are valid during the call.
    @inline(__always)
    func withTexts<R>(_ body: (TextList.InPlace) -> R) -> R { texts.withTexts(body) }

    /// Whether a string comes before another one, by its bytes.
    func precedes(_ lhs: Index, _ rhs: Index) -> Bool {
        texts.withTexts { $0[lhs.offset].precedes($0[rhs.offset]) }
    }

    /// The index of a string, which is added if it is not in the table yet.
    mutating func intern(_ string: UnsafeRawBufferPointer) -> Index {
        guard count > Self.greatestScan else {
            // The string that was added last is the most likely one.
            for offset in (0..<count).reversed() where isEqual(offset, string) { return Index(offset) }
            return append(string)
        }
        while slots.count < count { slots.append { texts.withText($0, Self.hash) } }
        return slots.offset(Self.hash(string)) { isEqual($0, string) }.map(Index.init) ?? append(string)
    }

    /// The index of a string, which is added if it is not in the table yet.
    mutating func intern(_ string: some Collection<UInt8>) -> Index {
        string.withContiguousStorageIfAvailable { intern(UnsafeRawBufferPointer($0)) }
            ?? Array(string).withUnsafeBytes { intern($0) }
    }

    /// The index of a string of another table, which is added if it is not in this table yet.
    mutating func intern(_ index: Index, of other: StringTable) -> Index {
        other.withText(index) { intern($0) }
    }

    mutating func removeAll() {
        texts.removeAll()
        slots.removeAll()
    }

    /// Appends a string that is not in the table yet.
    mutating func append(_ string: UnsafeRawBufferPointer) -> Index {
        texts.append(string)
        return Index(count - 1)
    }

    private func isEqual(_ offset: Int, _ string: UnsafeRawBufferPointer) -> Bool {
        texts.withText(offset) { $0.hasSameBytes(as: string) }
    }

    private static func hash(_ string: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: string)
        return hasher.finalize()
    }
}
