import CRDKafka

/// An error of Kafka, or of a connection to it.
///
/// One reference in size, so that the results of a batch of a million records stay small if they have no errors.
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
    ///   - code: a code of Kafka or librdkafka.
    ///   - message: what happened; `nil` for librdkafka's description of the code.
    ///   - brokers: the addresses of the brokers, if the error is about reaching them.
    ///   - topic: the topic that the error is about.
    ///   - partition: the partition that the error is about.
    ///   - isFatal: whether the client is unusable from now on.
    ///   - isRetriable: whether a retry may succeed; `nil` to derive it from the code.
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

    /// The code of Kafka, or of librdkafka (negative).
    public var code: Code { storage.code }
    /// The code's name, such as `OFFSET_OUT_OF_RANGE`; the names of librdkafka's own codes begin with an underscore.
    public var name: String { storage.code.name }
    /// What happened, for people.
    public var message: String { storage.message }
    /// The configured addresses of the brokers if the error is about reaching them, else empty.
    public var brokers: [String] { storage.brokers }
    /// The topic that the error is about, if any.
    public var topic: String? { storage.topic }
    /// The partition that the error is about, if any.
    public var partition: Int32? { storage.partition }
    /// Whether the client is unusable and has to be replaced.
    public var isFatal: Bool { storage.isFatal }
    /// Whether the same operation may succeed later.
    public var isRetriable: Bool { storage.isRetriable }
}

extension KafkaError: CustomStringConvertible {
    /// The message, the topic, the brokers and the code's name.
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

extension KafkaError {
    /// The right that the user lacks, such as "Read on the topic app-events"; `nil` if the error is not about a right.
    ///
    /// - Parameters:
    ///   - right: the right on a topic that the failed request needs. A broker does not say which one it is.
    ///   - group: the client's consumer group; `nil` if it has none.
    package func missingRight(onTopic right: String, group: String? = nil) -> String? {
        switch code {
        case .topicAuthorizationFailed: "\(right) on the topic\(topic.map { " \($0)" } ?? "")"
        case .groupAuthorizationFailed: "Read on the consumer group\(group.map { " \($0)" } ?? "")"
        case .clusterAuthorizationFailed: "IdempotentWrite on the cluster"
        default: nil
        }
    }
}
