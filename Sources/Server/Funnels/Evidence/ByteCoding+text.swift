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
        Swift.withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { append(bytes: $0) }
    }

    /// Appends a string. Most sessions are UUIDs.
    mutating func appendText(_ text: ArraySlice<UInt8>) {
        text.withUnsafeBytes { text in
            if text.count == 36, let uuid = EventID(uuid: text) { return appendUUID(uuid) }
            appendVarint(UInt64(text.count) + 1)
            append(bytes: text)
        }
    }

    mutating func appendOptionalText(_ text: ArraySlice<UInt8>?) {
        append(text == nil ? 0 : 1)
        if let text { appendText(text) }
    }
}

extension ByteReader {
    mutating func optionalIndex(below count: Int) throws(DamagedBytes) -> Int? {
        let code = try index(below: count + 1)
        return code == 0 ? nil : code - 1
    }

    /// Reads a UUID; `nil` where the next value is not a UUID, which is not read then.
    mutating func uuid() throws(DamagedBytes) -> EventID? {
        var ahead = self
        guard try ahead.byte() == 0 else { return nil }
        let high = UInt64(bigEndian: try ahead.bytes(8).loadUnaligned(as: UInt64.self))
        let low = UInt64(bigEndian: try ahead.bytes(8).loadUnaligned(as: UInt64.self))
        self = ahead
        return EventID(high: high, low: low)
    }

    mutating func text() throws(DamagedBytes) -> [UInt8] {
        if let uuid = try uuid() { return uuid.uuidText }
        return Array(try otherText())
    }

    /// Reads a text into a table.
    ///
    /// - Parameter isNew: whether it is known that the table does not have it.
    mutating func text(into table: inout StringTable, isNew: Bool) throws(DamagedBytes) -> StringTable.Index {
        if let uuid = try uuid() {
            return uuid.withText { isNew ? table.append($0) : table.intern($0) }
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
