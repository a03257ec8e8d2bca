extension UnsafeRawBufferPointer {
    /// Whether both hold the same bytes.
    ///
    /// It compares eight bytes at once: the standard library's `elementsEqual` compares single bytes, and every event
    /// is compared with an install and an event type.
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
        // The last eight bytes may overlap with those before.
        return hasSameWord(as: other, at: count - 8)
    }

    /// Whether these bytes come before others: by the first byte that differs, or as their beginning.
    func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        let end = Swift.min(count, other.count)
        while offset + 8 <= end, hasSameWord(as: other, at: offset) { offset += 8 }
        while offset < end, self[offset] == other[offset] { offset += 1 }
        return offset < end ? self[offset] < other[offset] : count < other.count
    }

    /// Whether the bytes begin with the bytes of `prefix`.
    func hasPrefix(_ prefix: UnsafeRawBufferPointer) -> Bool {
        count >= prefix.count && UnsafeRawBufferPointer(rebasing: self[..<prefix.count]).hasSameBytes(as: prefix)
    }

    /// Whether the bytes of `part` follow each other somewhere in the bytes. Each text contains the empty one.
    func contains(_ part: UnsafeRawBufferPointer) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= count else { return false }
        for start in 0...(count - part.count) where self[start] == first {
            if UnsafeRawBufferPointer(rebasing: self[start..<(start + part.count)]).hasSameBytes(as: part) {
                return true
            }
        }
        return false
    }

    @inline(__always)
    private func hasSameWord(as other: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
