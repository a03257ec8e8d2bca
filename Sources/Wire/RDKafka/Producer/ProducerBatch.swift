/// Records to publish together, their bytes in one piece of memory, from which they are also sent.
///
/// ```swift
/// var batch = ProducerBatch()
/// for event in events { batch.append(key: event.installID, value: try event.encoded(), headers: headers) }
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

    /// How many records there are.
    public var count: Int { entries.count }
    /// Whether there is no record.
    public var isEmpty: Bool { entries.isEmpty }
    /// The bytes of all keys and values.
    public var byteCount: Int { bytes.count }

    /// Makes room for records that are still to come.
    public mutating func reserveCapacity(_ count: Int, bytes byteCount: Int) {
        entries.reserveCapacity(count)
        ownBytes().reserveCapacity(byteCount)
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
        let bytes = ownBytes()
        // An array as a whole would be counted.
        key?.withUnsafeBytes { bytes.append($0) }
        value?.withUnsafeBytes { bytes.append($0) }
        addEntry(key: key?.count, value: value?.count, headers, timestamp: timestamp, partition: partition)
    }

    /// Adds a record whose key is text, as UTF-8.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The value.
    ///   - headers: The headers; records that share them one after the other share their memory.
    public mutating func append(key: String, value: [UInt8], headers: [KafkaHeader] = []) {
        let bytes = ownBytes()
        var key = key
        key.withUTF8 { bytes.append(UnsafeRawBufferPointer($0)) }
        value.withUnsafeBytes { bytes.append($0) }
        addEntry(key: key.utf8.count, value: value.count, headers)
    }

    /// Adds the entry of a record whose key and value, of these sizes, are the last of the bytes.
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

    /// The bytes, which no other batch has.
    private mutating func ownBytes() -> RecordBytes {
        if !isKnownUniquelyReferenced(&bytes) { bytes = bytes.copy() }
        return bytes
    }

    private mutating func headerSet(_ headers: [KafkaHeader]) -> Int32 {
        guard !headers.isEmpty else { return -1 }
        // By its place: `last` would count the references of what it returns.
        guard let last = headerSets.indices.last, headerSets[last] == headers else {
            headerSets.append(headers)
            return Int32(headerSets.count - 1)
        }
        return Int32(last)
    }
}
