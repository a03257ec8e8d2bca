/// Strings by index: each distinct sequence of bytes once.
struct StringTable {
    typealias Index = TableIndex<StringTable>

    private(set) var strings: [[UInt8]] = []
    /// The memory that the strings take, in bytes, approximately.
    private(set) var byteCount = 0
    // Empty as long as the table is small: comparing with a few strings is faster than hashing.
    private var indices: [[UInt8]: Index] = [:]
    private static let greatestScan = 32

    var count: Int { strings.count }

    subscript(index: Index) -> [UInt8] { strings[index.offset] }

    /// The index of a string, which is added if it is not in the table yet.
    mutating func intern(_ bytes: UnsafeRawBufferPointer) -> Index {
        if strings.count <= Self.greatestScan {
            // The string that was added last is the most likely one.
            for offset in strings.indices.reversed() where strings[offset].elementsEqual(bytes: bytes) {
                return Index(offset)
            }
            return append(Array(bytes))
        }
        if indices.isEmpty {
            for (offset, string) in strings.enumerated() { indices[string] = Index(offset) }
        }
        let string = Array(bytes)
        if let index = indices[string] { return index }
        indices[string] = Index(strings.count)
        return append(string)
    }

    /// The index of a string, which is added if it is not in the table yet.
    mutating func intern(_ string: [UInt8]) -> Index {
        string.withUnsafeBytes { intern($0) }
    }

    /// Appends a string that is not in the table yet.
    @discardableResult
    mutating func append(_ string: [UInt8]) -> Index {
        strings.append(string)
        byteCount += string.allocatedByteCount + MemoryLayout<[UInt8]>.stride
        return Index(strings.count - 1)
    }

    mutating func removeAll() {
        strings.removeAll(keepingCapacity: true)
        byteCount = 0
        if !indices.isEmpty { indices.removeAll() }
    }
}
