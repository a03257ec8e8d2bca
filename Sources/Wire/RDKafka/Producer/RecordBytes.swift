/// The keys and values of a batch, in memory whose address does not change while librdkafka sends from it. This saves a
/// copy of each record.
///
/// An array's memory has an address only during a closure. Unchecked, because only the one batch that owns the object
/// writes to it (``ProducerBatch`` copies shared bytes first), and shared bytes are only read.
final class RecordBytes: @unchecked Sendable {
    private var memory: UnsafeMutableRawBufferPointer
    /// The number of bytes.
    private(set) var count = 0

    init(capacity: Int = 0) {
        // Never empty: Kafka distinguishes null from empty, so that an empty value needs an address.
        memory = .allocate(byteCount: max(capacity, 64), alignment: 1)
    }

    deinit {
        memory.deallocate()
    }

    /// The bytes. Valid as long as this object exists and nothing is appended.
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
