/// A record to publish.
public struct ProducerMessage: Sendable, Hashable {
    /// The key, which determines the partition; `nil` spreads records over all partitions.
    public var key: [UInt8]?
    /// The value; `nil` for a tombstone.
    public var value: [UInt8]?
    /// The headers, in order.
    public var headers: [KafkaHeader]
    /// Milliseconds since 1970, more than 0; `nil` for the time of sending.
    public var timestamp: Int64?
    /// The partition; `nil` to let the key determine it.
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

/// The partition and the offset of a published record.
public struct RecordMetadata: Sendable, Hashable {
    /// The partition.
    public let partition: Int32
    /// The offset; `nil` if the broker had the record already and does not return its offset.
    public let offset: Int64?

    /// Creates the metadata of a record.
    public init(partition: Int32, offset: Int64?) {
        self.partition = partition
        self.offset = offset
    }
}
