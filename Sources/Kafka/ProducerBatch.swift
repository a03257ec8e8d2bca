/// Records to publish together, their bytes in one piece of memory.
///
/// An encoder can write each value straight into it, so that publishing costs no allocation for a record:
///
/// ```swift
/// var batch = ProducerBatch()
/// for event in events {
///     batch.append(key: event.installID, headers: headers) { bytes in encoder.encode(event, into: &bytes) }
/// }
/// let results = await producer.send(batch, to: "app-events")
/// ```
public struct ProducerBatch: Sendable {
    /// Where a record's bytes stand: the key, then the value, without a gap. −1 stands for null.
    struct Entry: Sendable {
        var start: Int
        var keyCount: Int
        var valueCount: Int
        var timestamp: Int64
        var partition: Int32
        var headers: Int32
    }

    private(set) var bytes: [UInt8] = []
    private(set) var entries: [Entry] = []
    private(set) var headerSets: [[KafkaHeader]] = []

    /// Creates an empty batch.
    public init() {}

    /// Creates a batch of records.
    public init(_ messages: some Sequence<ProducerMessage>) {
        for message in messages {
            append(message)
        }
    }

    /// How many records there are.
    public var count: Int { entries.count }
    /// Whether there is no record.
    public var isEmpty: Bool { entries.isEmpty }
    /// The bytes of all keys and values.
    public var byteCount: Int { bytes.count }

    /// Makes room for records that are still to come.
    public mutating func reserveCapacity(_ count: Int, bytes byteCount: Int) {
        entries.reserveCapacity(count)
        bytes.reserveCapacity(byteCount)
    }

    /// Adds a record.
    public mutating func append(_ message: ProducerMessage) {
        append(
            key: message.key,
            value: message.value,
            headers: message.headers,
            timestamp: message.timestamp,
            partition: message.partition
        )
    }

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - key: The key, or `nil` for none.
    ///   - value: The value, or `nil` for a tombstone.
    ///   - headers: The headers; records that share them one after the other share their memory.
    ///   - timestamp: Milliseconds since 1970; `nil` is the time of sending.
    ///   - partition: The partition, where the partitioner is not to choose it.
    public mutating func append(
        key: [UInt8]?,
        value: [UInt8]?,
        headers: [KafkaHeader] = [],
        timestamp: Int64? = nil,
        partition: Int32? = nil
    ) {
        let start = bytes.count
        // An array as a whole would be counted.
        key?.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        value?.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        entries.append(
            Entry(
                start: start,
                keyCount: key?.count ?? -1,
                valueCount: value?.count ?? -1,
                timestamp: timestamp ?? 0,
                partition: partition ?? -1,
                headers: headerSet(headers)
            )
        )
    }

    /// Adds a record whose value is written in place.
    ///
    /// - Parameters:
    ///   - key: The key, as UTF-8.
    ///   - headers: The headers; records that share them one after the other share their memory.
    ///   - timestamp: Milliseconds since 1970; `nil` is the time of sending.
    ///   - writeValue: Appends the value's bytes, and changes none that are there already.
    public mutating func append<Failure: Error>(
        key: String,
        headers: [KafkaHeader] = [],
        timestamp: Int64? = nil,
        writeValue: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        let start = bytes.count
        bytes.append(contentsOf: key.utf8)
        let valueStart = bytes.count
        do {
            try writeValue(&bytes)
        } catch {
            bytes.removeSubrange(start...)
            throw error
        }
        precondition(bytes.count >= valueStart, "writeValue may only append to the batch's bytes")
        entries.append(
            Entry(
                start: start,
                keyCount: valueStart - start,
                valueCount: bytes.count - valueStart,
                timestamp: timestamp ?? 0,
                partition: -1,
                headers: headerSet(headers)
            )
        )
    }

    private mutating func headerSet(_ headers: [KafkaHeader]) -> Int32 {
        guard !headers.isEmpty else { return -1 }
        if headerSets.last != headers {
            headerSets.append(headers)
        }
        return Int32(headerSets.count - 1)
    }
}
