/// A record to publish.
public struct ProducerMessage: Sendable, Hashable {
    /// The key, which decides the partition; `nil` spreads over all partitions.
    public var key: [UInt8]?
    /// The value; `nil` is a tombstone.
    public var value: [UInt8]?
    /// The headers, in order.
    public var headers: [KafkaHeader]
    /// Milliseconds since 1970, more than 0; `nil` is the time of sending.
    public var timestamp: Int64?
    /// The partition, where the key shall not decide.
    public var partition: Int32?

    /// Creates a record.
    public init(
        key: [UInt8]? = nil,
        value: [UInt8]?,
        headers: [KafkaHeader] = [],
        timestamp: Int64? = nil,
        partition: Int32? = nil
    ) {
        self.key = key
        self.value = value
        self.headers = headers
        self.timestamp = timestamp
        self.partition = partition
    }
}

/// Where a published record stands.
public struct RecordMetadata: Sendable, Hashable {
    /// The partition.
    public let partition: Int32
    /// The offset, or `nil` where the broker had the record already and doesn't say where.
    public let offset: Int64?

    /// Creates the place of a record.
    public init(partition: Int32, offset: Int64?) {
        self.partition = partition
        self.offset = offset
    }
}
