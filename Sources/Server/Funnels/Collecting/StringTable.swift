/// Strings by number: each distinct sequence of bytes once.
struct StringTable {
    private(set) var strings: [[UInt8]] = []
    // Most tables hold a handful of strings, where a look along them is quicker than hashing.
    private var places: [[UInt8]: Int] = [:]
    private static let greatestScan = 32

    /// The number of `bytes`, which get one if they have none.
    mutating func intern(_ bytes: UnsafeRawBufferPointer) -> Int {
        if strings.count <= Self.greatestScan {
            // What was used last is the likeliest.
            for index in strings.indices.reversed() where strings[index].elementsEqual(bytes: bytes) { return index }
            return append(Array(bytes))
        }
        if places.isEmpty {
            for (index, string) in strings.enumerated() { places[string] = index }
        }
        let string = Array(bytes)
        if let index = places[string] { return index }
        places[string] = strings.count
        return append(string)
    }

    /// Adds a string that is known not to be there.
    @discardableResult
    mutating func append(_ string: [UInt8]) -> Int {
        strings.append(string)
        return strings.count - 1
    }

    mutating func removeAll() {
        strings.removeAll(keepingCapacity: true)
        if !places.isEmpty { places.removeAll() }
    }
}

extension [UInt8] {
    @inline(__always)
    func elementsEqual(bytes: UnsafeRawBufferPointer) -> Bool {
        withUnsafeBytes { $0.hasSameBytes(as: bytes) }
    }
}

extension UnsafeRawBufferPointer {
    /// Eight at once: the standard library's `elementsEqual` goes byte by byte, and every event comes here with its
    /// install.
    @inline(__always)
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else {
            for offset in 0..<count where self[offset] != other[offset] { return false }
            return true
        }
        var offset = 0
        while offset + 8 < count {
            guard hasSameWord(as: other, at: offset) else { return false }
            offset += 8
        }
        // The last eight, some of which may have been looked at.
        return hasSameWord(as: other, at: count - 8)
    }

    @inline(__always)
    private func hasSameWord(as other: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
