// A UUID is encoded as 0 and its 16 bytes, any other text as its length plus 1 and its bytes. An id that is no UUID has
// its length without the 1, because it is never empty.
extension ByteSink {
    @inline(__always)
    mutating func appendIndex(_ code: Int) {
        appendVarint(UInt64(code))
    }

    @inline(__always)
    mutating func appendUUID(_ id: EventID) {
        append(0)
        id.withBytes { append(bytes: $0) }
    }
}

extension ByteReader {
    @inline(__always)
    mutating func optionalIndex(below count: Int) throws(DamagedBytes) -> Int? {
        let code = try index(below: count + 1)
        return code == 0 ? nil : code - 1
    }

    /// Reads a UUID; `nil` where the next value is not a UUID, which is not read then.
    @inline(__always)
    mutating func uuid() throws(DamagedBytes) -> EventID? {
        var ahead = self
        guard try ahead.byte() == 0 else { return nil }
        let bytes = try ahead.bytes(16)
        self = ahead
        return EventID(bytes: bytes)
    }

    /// Reads a text into a table.
    mutating func text(into table: inout StringTable) throws(DamagedBytes) -> StringTable.Index {
        if let uuid = try uuid() { return table.intern(uuid) }
        let count = try varint()
        guard count > 0, let length = Int(exactly: count - 1) else { throw DamagedBytes() }
        return table.intern(try bytes(length))
    }
}
