/// Encoded bytes end too early or hold an impossible number.
struct DamagedBytes: Error {}

/// What encoded values are appended to.
protocol ByteSink {
    mutating func append(_ byte: UInt8)
    mutating func append(bytes: UnsafeRawBufferPointer)
}

extension ByteSink {
    /// Appends a number as unsigned LEB128: 7 bits per byte, the lowest bits first.
    @inline(__always)
    mutating func appendVarint(_ value: UInt64) {
        // Most numbers are below 128.
        if value < 0x80 { append(UInt8(truncatingIfNeeded: value)) } else { appendLongVarint(value) }
    }

    private mutating func appendLongVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends a signed number in zigzag coding, in which small negative numbers are short.
    @inline(__always)
    mutating func appendSigned(_ value: Int64) {
        appendVarint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }
}

extension [UInt8]: ByteSink {
    mutating func append(bytes: UnsafeRawBufferPointer) {
        append(contentsOf: bytes)
    }

    /// Appends the number of bytes and the bytes.
    mutating func appendCounted(_ bytes: some Collection<UInt8>) {
        appendVarint(UInt64(bytes.count))
        append(contentsOf: bytes)
    }
}

/// Memory for encoded values, of which the caller knows the greatest size.
///
/// An array checks for each byte that nothing else refers to it, which would be most of the cost of writing a row.
struct ByteSpace: ByteSink {
    private let memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(_ memory: UnsafeMutableRawBufferPointer) {
        self.memory = memory
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        precondition(count < memory.count)
        memory[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func append(bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= memory.count - count)
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        count += bytes.count
    }
}

/// Reads values that the functions of ``ByteSink`` have written.
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

    @inline(__always)
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
        let (value, end) = try Self.longVarint(in: bytes, at: position)
        position = end
        return value
    }

    // It gets no reader, because a reader whose address goes to a function is not kept in registers.
    @inline(never)
    private static func longVarint(
        in bytes: UnsafeRawBufferPointer,
        at start: Int
    ) throws(DamagedBytes) -> (value: UInt64, end: Int) {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        var position = start
        while true {
            guard position < bytes.count else { throw DamagedBytes() }
            let byte = bytes[position]
            position += 1
            guard shift < 63 || byte <= 1 else { throw DamagedBytes() }
            value |= UInt64(byte & 0x7F) << shift
            guard byte >= 0x80 else { return (value, position) }
            shift += 7
        }
    }

    @inline(__always)
    mutating func signed() throws(DamagedBytes) -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// Reads an index or a count, which must be less than `bound`.
    @inline(__always)
    mutating func index(below bound: Int) throws(DamagedBytes) -> Int {
        let value = try varint()
        guard value < UInt64(bound) else { throw DamagedBytes() }
        return Int(value)
    }

    /// Reads the number of elements that follow, each of at least one byte.
    @inline(__always)
    mutating func count() throws(DamagedBytes) -> Int {
        try index(below: bytes.count - position + 1)
    }

    mutating func counted() throws(DamagedBytes) -> UnsafeRawBufferPointer {
        try bytes(count())
    }

    @inline(__always)
    mutating func bytes(_ count: Int) throws(DamagedBytes) -> UnsafeRawBufferPointer {
        guard count <= bytes.count - position else { throw DamagedBytes() }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
    }
}
