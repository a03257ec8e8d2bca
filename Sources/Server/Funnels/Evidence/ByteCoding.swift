/// Bytes that end too early, or hold a number that cannot be.
struct DamagedBytes: Error {}

extension [UInt8] {
    /// Appends an unsigned LEB128 number: 7 bits a byte, the lowest first.
    mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends a signed number in zigzag coding, so that small negative ones stay short.
    mutating func appendSigned(_ value: Int64) {
        appendVarint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    /// Appends a length and that many bytes.
    mutating func appendCounted(_ bytes: some Collection<UInt8>) {
        appendVarint(UInt64(bytes.count))
        append(contentsOf: bytes)
    }
}

/// Reads what the `[UInt8]` functions above wrote.
///
/// It borrows memory that must stay while it is used: a copy for each row would be most of the cost of reading one.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

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

    /// A number that is to be a count or an index: it must be below `bound`.
    mutating func index(below bound: Int) throws(DamagedBytes) -> Int {
        let value = try varint()
        guard value < UInt64(bound) else { throw DamagedBytes() }
        return Int(value)
    }

    /// The number of things that follow, each of at least one byte.
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
