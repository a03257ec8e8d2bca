/// A mistake in a ``KafkaConfiguration``, found before any connection is made.
public struct KafkaConfigurationError: Error, Sendable, Hashable {
    /// The kind of a mistake. Later versions may add kinds.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code's name.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// librdkafka has no property of this name.
        public static let unknownProperty = Code(rawValue: "unknown_property")
        /// The property does not take this value.
        public static let invalidValue = Code(rawValue: "invalid_value")
        /// The property must be left out, because the client sets it.
        public static let reservedProperty = Code(rawValue: "reserved_property")
        /// Every property is valid, but librdkafka cannot create a client from all of them together.
        public static let unusable = Code(rawValue: "unusable")
    }

    /// The kind of the mistake.
    public let code: Code
    /// The property, or `nil` if librdkafka does not name it.
    public let property: String?
    /// What is wrong, for people; librdkafka's own explanation if it gives one.
    public let explanation: String

    /// Creates an error, also for a module that requires more of a configuration than librdkafka does.
    package init(code: Code, property: String?, explanation: String) {
        self.code = code
        self.property = property
        self.explanation = explanation
    }
}

extension KafkaConfigurationError: CustomStringConvertible {
    /// A sentence with the property and what to do.
    public var description: String {
        let subject = property.map { "Kafka property \"\($0)\"" } ?? "Kafka configuration"
        return switch code {
        case .unknownProperty: "\(subject) \(explanation)"
        case .invalidValue: "\(subject) has an invalid value: \(explanation)"
        case .reservedProperty: "\(subject) cannot be set: \(explanation)"
        default: "\(subject) cannot be used: \(explanation)"
        }
    }
}
