/// Keys and values one after the other, in memory that stays where it is once it is on its way: librdkafka sends them from
/// there instead of copying each.
///
/// An array's memory has an address only as long as a closure runs. Unchecked, because only the one batch that holds it
/// alone writes to it (``ProducerBatch`` copies it before), and what is shared is only read.
final class RecordBytes: @unchecked Sendable {
    private var memory: UnsafeMutableRawBufferPointer
    /// How many bytes there are.
    private(set) var count = 0

    init(capacity: Int = 0) {
        // Never nothing: in Kafka null and empty differ, so that an empty value needs an address.
        memory = .allocate(byteCount: max(capacity, 64), alignment: 1)
    }

    deinit {
        memory.deallocate()
    }

    /// The bytes, to be read for as long as this object is there and nothing is appended.
    var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    func copy() -> RecordBytes {
        let copy = RecordBytes(capacity: memory.count)
        copy.append(contents)
        return copy
    }

    func reserveCapacity(_ capacity: Int) {
        guard capacity > memory.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
        larger.copyMemory(from: contents)
        memory.deallocate()
        memory = larger
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count > memory.count - count {
            reserveCapacity(max(2 * memory.count, count + bytes.count))
        }
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        count += bytes.count
    }
}
