// A UUID in its canonical form is encoded as 0 and its 16 bytes: most sessions and ids of events are UUIDs. Any other
// text is encoded as its length plus 1 and its bytes. The id of an event that is no UUID has its length without the 1,
// because it is never empty.
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

    /// Appends a text.
    mutating func append(text: UnsafeRawBufferPointer) {
        if let uuid = EventID(uuid: text) { return appendUUID(uuid) }
        appendVarint(UInt64(text.count) + 1)
        append(bytes: text)
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
    ///
    /// - Parameter isNew: whether the table does not have it, so that it need not be compared.
    mutating func text(into table: inout StringTable, isNew: Bool) throws(DamagedBytes) -> StringTable.Index {
        if let uuid = try uuid() { return uuid.withText { isNew ? table.append($0) : table.intern($0) } }
        let count = try varint()
        guard count > 0, let length = Int(exactly: count - 1) else { throw DamagedBytes() }
        let text = try bytes(length)
        return isNew ? table.append(text) : table.intern(text)
    }
}
