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

    /// Appends 1 and a string of a table, or 0 for none.
    mutating func appendOptionalText(_ text: StringTable.Index?, of table: StringTable) {
        append(text == nil ? 0 : 1)
        if let text { table.encode(text, into: &self) }
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

    mutating func text() throws(DamagedBytes) -> [UInt8] {
        if let uuid = try uuid() { return uuid.textInPlace }
        return Array(try otherText())
    }

    /// Reads a text into a table.
    ///
    /// - Parameter isNew: whether it is known that the table does not have it.
    mutating func text(into table: inout StringTable, isNew: Bool) throws(DamagedBytes) -> StringTable.Index {
        if let uuid = try uuid() {
            return isNew ? table.append(uuid) : table.intern(uuid)
        }
        let text = try otherText()
        return isNew ? table.append(text) : table.intern(text)
    }

    private mutating func otherText() throws(DamagedBytes) -> UnsafeRawBufferPointer {
        let count = try varint()
        guard count > 0, let length = Int(exactly: count - 1) else { throw DamagedBytes() }
        return try bytes(length)
    }

    mutating func optionalText() throws(DamagedBytes) -> [UInt8]? {
        try byte() == 0 ? nil : try text()
    }
}
