/// A mistake in a ``KafkaConfiguration``, found before any connection is made.
public struct KafkaConfigurationError: Error, Sendable, Hashable {
    /// What is wrong.
    public enum Reason: Sendable, Hashable {
        /// librdkafka knows no property of this name.
        case unknown
        /// The property exists and does not take this value; librdkafka's explanation.
        case invalid(String)
        /// The client sets the property itself, and why.
        case reserved(String)
        /// The properties are right one by one but no client can be made of them; librdkafka's explanation.
        case unusable(String)
    }

    /// The property, or `nil` where librdkafka does not say which one is at fault.
    public let property: String?
    /// What is wrong.
    public let reason: Reason

    /// Creates an error, for whoever asks more of a configuration than librdkafka does.
    public init(property: String?, reason: Reason) {
        self.property = property
        self.reason = reason
    }
}

extension KafkaConfigurationError: CustomStringConvertible {
    /// One sentence that names the property and what to do.
    public var description: String {
        let name = property.map { "Kafka property \"\($0)\"" } ?? "Kafka configuration"
        switch reason {
        case .unknown:
            return "\(name) does not exist in this version of librdkafka; "
                + "see its CONFIGURATION.md for the names, or remove it"
        case .invalid(let explanation):
            return "\(name) has a value that is not allowed: \(explanation)"
        case .reserved(let explanation):
            return "\(name) can't be set: \(explanation)"
        case .unusable(let explanation):
            return "\(name) can't be used: \(explanation)"
        }
    }
}
