public import FlowEvents

/// An event ready to leave the process: encoded once, and the same bytes however often it is sent.
///
/// It holds bytes and not an `Event`, so that a queue on disk can give back exactly what it was given.
public struct EncodedEvent: Sendable, Hashable {
    /// The CloudEvents `id`, for whoever reports about the event without reading it.
    public let id: String
    /// The CloudEvents `partitionkey`: the install id, which a Kafka record has as its key, in UTF-8.
    public let key: String
    /// The CloudEvents JSON document in UTF-8, without a newline.
    public let value: [UInt8]

    /// Creates an encoded event from its parts; nothing is checked.
    public init(id: String, key: String, value: [UInt8]) {
        self.id = id
        self.key = key
        self.value = value
    }

    /// What the event weighs in a queue, in bytes: its key and its value.
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
