/// A header of a record. A record may have several headers with the same name; they keep their order.
public struct KafkaHeader: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value; `nil` is Kafka's null.
    public let value: [UInt8]?

    /// Creates a header from bytes.
    public init(_ name: String, bytes value: [UInt8]?) {
        self.name = name
        self.value = value
    }

    /// Creates a header from text, encoded as UTF-8.
    public init(_ name: String, _ value: String) {
        self.init(name, bytes: Array(value.utf8))
    }
}
