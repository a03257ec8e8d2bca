extension TimeZoneTable {
    private static let form: UInt8 = 1

    /// The table as the bytes that a store keeps. Equal tables have equal bytes.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = [Self.form]
        bytes.appendCounted(name.utf8)
        bytes.appendVarint(UInt64(starts.count - 1))
        bytes.appendSigned(offsets[0])
        var last: Int64 = 0
        for (start, offset) in zip(starts, offsets).dropFirst() {
            bytes.appendSigned(start - last)
            bytes.appendSigned(offset)
            last = start
        }
        return bytes
    }

    /// Reads the bytes of ``encoded``.
    ///
    /// - Throws: ``DamagedTimeZoneTable`` where the bytes have another form.
    package init(decoding bytes: [UInt8]) throws(DamagedTimeZoneTable) {
        guard let table = bytes.withUnsafeBytes({ bytes in try? Self.decode(bytes) }) else {
            throw DamagedTimeZoneTable()
        }
        self = table
    }

    private static func decode(_ bytes: UnsafeRawBufferPointer) throws(DamagedBytes) -> TimeZoneTable {
        var reader = ByteReader(bytes)
        guard try reader.byte() == form, let name = String(validating: try reader.counted(), as: UTF8.self) else {
            throw DamagedBytes()
        }
        let count = try reader.count()
        var starts = [Int64.min]
        var offsets = [try offset(&reader)]
        var last: Int64 = 0
        for _ in 0..<count {
            let (start, overflow) = last.addingReportingOverflow(try reader.signed())
            guard !overflow, start > starts[starts.count - 1], start < end else { throw DamagedBytes() }
            starts.append(start)
            offsets.append(try offset(&reader))
            last = start
        }
        guard reader.isAtEnd else { throw DamagedBytes() }
        return TimeZoneTable(name: name, starts: starts, offsets: offsets)
    }

    private static func offset(_ reader: inout ByteReader) throws(DamagedBytes) -> Int64 {
        let offset = try reader.signed()
        guard offset > -maximumOffset, offset < maximumOffset else { throw DamagedBytes() }
        return offset
    }
}

/// The time zone table in a store cannot be read.
package struct DamagedTimeZoneTable: Error, Sendable, Hashable, CustomStringConvertible {
    /// The mistake, as a part of a sentence.
    package var description: String { "the kept time zone table is damaged" }
}
