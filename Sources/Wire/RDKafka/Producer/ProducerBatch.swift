/// Records to publish together. Their bytes are in one block of memory, from which librdkafka sends them.
///
/// ```swift
/// var batch = ProducerBatch()
/// for event in events { batch.append(key: event.installID, value: try event.encoded(), headers: headers) }
/// let results = await producer.send(batch, to: "app-events")
/// ```
public struct ProducerBatch: Sendable {
    /// The position of a record's bytes: the key, directly followed by the value. A count of −1 is a null.
    struct Entry: Sendable {
        var start: Int
        var keyCount: Int
        var valueCount: Int
        var timestamp: Int64
        var partition: Int32
        var headers: Int32
    }

    private(set) var bytes = RecordBytes()
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

    /// The number of records.
    public var count: Int { entries.count }
    /// Whether the batch has no records.
    public var isEmpty: Bool { entries.isEmpty }
    /// The number of bytes of all keys and values.
    public var byteCount: Int { bytes.count }

    /// Reserves memory for records to append.
    public mutating func reserveCapacity(_ count: Int, bytes byteCount: Int) {
        entries.reserveCapacity(count)
        ownBytes().reserveCapacity(byteCount)
    }

    /// Appends a record.
    public mutating func append(_ message: ProducerMessage) {
        append(
            key: message.key,
            value: message.value,
            headers: message.headers,
            timestamp: message.timestamp,
            partition: message.partition
        )
    }

    /// Appends a record.
    ///
    /// - Parameters:
    ///   - key: the key; `nil` for none.
    ///   - value: the value; `nil` for a tombstone.
    ///   - headers: the headers; consecutive records with equal headers share their memory.
    ///   - timestamp: milliseconds since 1970; `nil` for the time of sending.
    ///   - partition: the partition; `nil` to let the partitioner choose.
    public mutating func append(
        key: [UInt8]?,
        value: [UInt8]?,
        headers: [KafkaHeader] = [],
        timestamp: Int64? = nil,
        partition: Int32? = nil
    ) {
        let bytes = ownBytes()
        // `append` with the array itself would count its references.
        key?.withUnsafeBytes { bytes.append($0) }
        value?.withUnsafeBytes { bytes.append($0) }
        addEntry(key: key?.count, value: value?.count, headers, timestamp: timestamp, partition: partition)
    }

    /// Appends a record whose key is text, as UTF-8.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - value: the value.
    ///   - headers: the headers; consecutive records with equal headers share their memory.
    public mutating func append(key: String, value: [UInt8], headers: [KafkaHeader] = []) {
        let bytes = ownBytes()
        var key = key
        key.withUTF8 { bytes.append(UnsafeRawBufferPointer($0)) }
        value.withUnsafeBytes { bytes.append($0) }
        addEntry(key: key.utf8.count, value: value.count, headers)
    }

    /// Adds the entry of a record whose key and value, of these sizes, are at the end of the bytes.
    private mutating func addEntry(
        key keyCount: Int?,
        value valueCount: Int?,
        _ headers: [KafkaHeader],
        timestamp: Int64? = nil,
        partition: Int32? = nil
    ) {
        entries.append(
            Entry(
                start: bytes.count - (keyCount ?? 0) - (valueCount ?? 0),
                keyCount: keyCount ?? -1,
                valueCount: valueCount ?? -1,
                timestamp: timestamp ?? 0,
                partition: partition ?? -1,
                headers: headerSet(headers)
            )
        )
    }

    /// The bytes, copied if another batch shares them.
    private mutating func ownBytes() -> RecordBytes {
        if !isKnownUniquelyReferenced(&bytes) { bytes = bytes.copy() }
        return bytes
    }

    private mutating func headerSet(_ headers: [KafkaHeader]) -> Int32 {
        guard !headers.isEmpty else { return -1 }
        // By index, because `last` would count the references of its result.
        guard let last = headerSets.indices.last, headerSets[last] == headers else {
            headerSets.append(headers)
            return Int32(headerSets.count - 1)
        }
        return Int32(last)
    }
}
