/// One header of a record. A record may have several of one name; their order is kept.
public struct KafkaHeader: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value, which Kafka allows to be null.
    public let value: [UInt8]?

    /// Creates a header from bytes.
    public init(_ name: String, bytes value: [UInt8]?) {
        self.name = name
        self.value = value
    }

    /// Creates a header from text, as UTF-8.
    public init(_ name: String, _ value: String) {
        self.init(name, bytes: Array(value.utf8))
    }
}
