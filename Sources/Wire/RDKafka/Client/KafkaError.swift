import CRDKafka

/// What went wrong in Kafka or on the way to it.
///
/// Small to pass around: a batch of a million results does not pay for the texts of the failures it hasn't.
public struct KafkaError: Error, Sendable {
    private final class Storage: Sendable {
        let code: Code
        let message: String
        let brokers: [String]
        let topic: String?
        let partition: Int32?
        let isFatal: Bool
        let isRetriable: Bool

        init(
            code: Code,
            message: String,
            brokers: [String],
            topic: String?,
            partition: Int32?,
            isFatal: Bool,
            isRetriable: Bool
        ) {
            self.code = code
            self.message = message
            self.brokers = brokers
            self.topic = topic
            self.partition = partition
            self.isFatal = isFatal
            self.isRetriable = isRetriable
        }
    }

    private let storage: Storage

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: Kafka's or librdkafka's code.
    ///   - message: What happened; librdkafka's text for the code where it is `nil`.
    ///   - brokers: The addresses that were tried.
    ///   - topic: The topic that it concerns.
    ///   - partition: The partition that it concerns.
    ///   - isFatal: Whether the client that met it is of no more use.
    ///   - isRetriable: Whether trying again may help; told by the code where it is `nil`.
    public init(
        code: Code,
        message: String? = nil,
        brokers: [String] = [],
        topic: String? = nil,
        partition: Int32? = nil,
        isFatal: Bool = false,
        isRetriable: Bool? = nil
    ) {
        storage = Storage(
            code: code,
            message: message ?? code.explanation,
            brokers: brokers,
            topic: topic,
            partition: partition,
            isFatal: isFatal,
            isRetriable: isRetriable ?? (!isFatal && code.isRetriable)
        )
    }

    /// Kafka's code, or librdkafka's own (negative).
    public var code: Code { storage.code }
    /// The code's name, such as `OFFSET_OUT_OF_RANGE`; librdkafka's own begin with an underscore.
    public var name: String { storage.code.name }
    /// What happened, for people.
    public var message: String { storage.message }
    /// The addresses that the client was told to try, where it is about reaching them; else empty.
    public var brokers: [String] { storage.brokers }
    /// The topic that it concerns, where there is one.
    public var topic: String? { storage.topic }
    /// The partition that it concerns, where there is one.
    public var partition: Int32? { storage.partition }
    /// Whether the client that met it is of no more use and has to be created anew.
    public var isFatal: Bool { storage.isFatal }
    /// Whether the same operation may succeed later.
    public var isRetriable: Bool { storage.isRetriable }
}

extension KafkaError: CustomStringConvertible {
    /// The message, the code's name, and which topic and brokers it is about.
    public var description: String {
        var text = message
        if let topic {
            text += " (topic \(topic)" + (partition.map { ", partition \($0)" } ?? "") + ")"
        }
        if !brokers.isEmpty {
            text += "; brokers tried: " + brokers.joined(separator: ", ")
        }
        return text + " [\(name)]"
    }
}
