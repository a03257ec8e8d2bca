public import FlowEvents

/// An event that is encoded and ready to send. Its bytes are the same for every attempt.
///
/// ```swift
/// let encoded = try EncodedEvent(event)
/// ```
///
/// It holds bytes instead of an `Event`, so that a queue on disk returns exactly the bytes that it stored.
public struct EncodedEvent: Sendable, Hashable {
    /// The CloudEvents `id`, for reports that do not parse the event.
    public let id: String
    /// The CloudEvents `partitionkey`: the install id. It is the key of the Kafka record.
    public let key: String
    /// The CloudEvents JSON document in UTF-8, without a newline.
    public let value: [UInt8]

    /// Creates an encoded event from its parts, without checking them.
    public init(id: String, key: String, value: [UInt8]) {
        self.id = id
        self.key = key
        self.value = value
    }

    /// The size of the event in a queue, in bytes: its key and its value.
    public var size: Int { key.utf8.count + value.count }
}

extension EncodedEvent {
    /// Encodes an event.
    ///
    /// - Throws: the first rule that the event breaks.
    public init(_ event: Event) throws(EventViolation) {
        self.init(id: event.id, key: event.installID, value: try event.encoded())
    }
}
