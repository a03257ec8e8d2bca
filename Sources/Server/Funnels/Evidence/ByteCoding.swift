/// Encoded bytes end too early or hold an impossible number.
struct DamagedBytes: Error {}

extension [UInt8] {
    /// Appends a number as unsigned LEB128: 7 bits per byte, the lowest bits first.
    mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends a signed number in zigzag coding, in which small negative numbers are short.
    mutating func appendSigned(_ value: Int64) {
        appendVarint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    /// Appends the number of bytes and the bytes.
    mutating func appendCounted(_ bytes: some Collection<UInt8>) {
        appendVarint(UInt64(bytes.count))
        append(contentsOf: bytes)
    }
}

/// Reads values that the functions of `[UInt8]` above have written.
///
/// It borrows the memory, which must stay valid while the reader is used: a copy of each row would be most of the cost
/// of reading it.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skipRest() {
        position = bytes.count
    }

    mutating func byte() throws(DamagedBytes) -> UInt8 {
        guard position < bytes.count else { throw DamagedBytes() }
        defer { position += 1 }
        return bytes[position]
    }

    @inline(__always)
    mutating func varint() throws(DamagedBytes) -> UInt64 {
        // Most numbers are below 128.
        if position < bytes.count, bytes[position] < 0x80 {
            defer { position += 1 }
            return UInt64(bytes[position])
        }
        return try longVarint()
    }

    private mutating func longVarint() throws(DamagedBytes) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            guard shift < 63 || byte <= 1 else { throw DamagedBytes() }
            value |= UInt64(byte & 0x7F) << shift
            guard byte >= 0x80 else { return value }
            shift += 7
        }
    }

    mutating func signed() throws(DamagedBytes) -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// Reads an index or a count, which must be less than `bound`.
    mutating func index(below bound: Int) throws(DamagedBytes) -> Int {
        let value = try varint()
        guard value < UInt64(bound) else { throw DamagedBytes() }
        return Int(value)
    }

    /// Reads the number of elements that follow, each of at least one byte.
    mutating func count() throws(DamagedBytes) -> Int {
        try index(below: bytes.count - position + 1)
    }

    mutating func counted() throws(DamagedBytes) -> UnsafeRawBufferPointer {
        try bytes(count())
    }

    mutating func bytes(_ count: Int) throws(DamagedBytes) -> UnsafeRawBufferPointer {
        guard count <= bytes.count - position else { throw DamagedBytes() }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
    }
}
