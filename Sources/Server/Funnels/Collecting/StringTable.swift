/// Strings by index: each distinct sequence of bytes once.
///
/// The strings lie one after another in one array: an array for each string would be most of the cost of reading an
/// install's row.
struct StringTable {
    typealias Index = TableIndex<StringTable>

    private var bytes: [UInt8] = []
    // The end of each string in `bytes`.
    private var ends: [Int] = []
    // The hash of each string, and by hash their indices plus 1, 0 for an empty slot. Empty as long as the table is
    // small: comparing with a few strings is faster than hashing.
    private var hashes: [Int] = []
    private var slots: [Int32] = []
    private static let greatestScan = 64

    var count: Int { ends.count }

    /// The memory that the strings take, in bytes, approximately.
    var byteCount: Int { bytes.count + ends.count * 16 + slots.count * 4 }

    subscript(index: Index) -> ArraySlice<UInt8> { bytes[range(index.offset)] }

    /// The number of bytes of a string.
    func length(_ index: Index) -> Int { range(index.offset).count }

    private func range(_ offset: Int) -> Range<Int> {
        (offset == 0 ? 0 : ends[offset - 1])..<ends[offset]
    }

    /// The index of a string, which is added if it is not in the table yet.
    mutating func intern(_ string: UnsafeRawBufferPointer) -> Index {
        guard count > Self.greatestScan else {
            // The string that was added last is the most likely one.
            for offset in ends.indices.reversed() where isEqual(offset, string) { return Index(offset) }
            return append(string)
        }
        hashStrings()
        var slot = Self.hash(string) & (slots.count - 1)
        while slots[slot] != 0 {
            let offset = Int(slots[slot]) - 1
            if isEqual(offset, string) { return Index(offset) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return append(string)
    }

    /// The index of a string, which is added if it is not in the table yet.
    mutating func intern(_ string: some Collection<UInt8>) -> Index {
        string.withContiguousStorageIfAvailable { intern(UnsafeRawBufferPointer($0)) }
            ?? Array(string).withUnsafeBytes { intern($0) }
    }

    /// Appends a string that is not in the table yet.
    @discardableResult
    mutating func append(_ string: some Collection<UInt8>) -> Index {
        bytes.append(contentsOf: string)
        ends.append(bytes.count)
        return Index(ends.count - 1)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        hashes.removeAll(keepingCapacity: true)
        if !slots.isEmpty { slots = [] }
    }

    private func isEqual(_ offset: Int, _ string: UnsafeRawBufferPointer) -> Bool {
        let range = range(offset)
        guard range.count == string.count else { return false }
        return bytes.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[range]).hasSameBytes(as: string) }
    }

    /// Enters the strings that were appended since the last call into `slots`.
    private mutating func hashStrings() {
        let first = hashes.count
        bytes.withUnsafeBytes { bytes in
            for offset in first..<ends.count {
                hashes.append(Self.hash(UnsafeRawBufferPointer(rebasing: bytes[range(offset)])))
            }
        }
        if ends.count * 2 > slots.count {
            slots = Array(repeating: 0, count: max(128, slots.count * 2))
            while ends.count * 2 > slots.count { slots += slots }
            for offset in hashes.indices { enter(offset) }
        } else {
            for offset in first..<ends.count { enter(offset) }
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
