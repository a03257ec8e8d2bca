/// The properties of a Kafka client, named and written as librdkafka does.
///
/// Any property of librdkafka can be set:
///
/// ```swift
/// var configuration: KafkaConfiguration = ["bootstrap.servers": "kafka-1:9092,kafka-2:9092"]
/// configuration["security.protocol"] = "sasl_ssl"
/// ```
///
/// Names and values are checked when a client is created; see ``KafkaConfigurationError``. All properties are in
/// [librdkafka's CONFIGURATION.md](https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md).
///
/// Its descriptions and reflections show no credential.
public struct KafkaConfiguration: Sendable, Hashable {
    /// Values by property name.
    public var properties: [String: String]

    /// Creates a configuration from property names and values.
    public init(_ properties: [String: String] = [:]) {
        self.properties = properties
    }

    /// Creates a configuration for the given brokers.
    ///
    /// - Parameter bootstrapServers: `host:port`, several joined by commas.
    public init(bootstrapServers: String) {
        self.init(["bootstrap.servers": bootstrapServers])
    }

    /// The value of a property, or `nil` where it is left at librdkafka's default.
    public subscript(property: String) -> String? {
        get { properties[property] }
        set { properties[property] = newValue }
    }

    /// This configuration with the other's properties where it has none of its own.
    public func withDefaults(_ defaults: KafkaConfiguration) -> KafkaConfiguration {
        KafkaConfiguration(properties.merging(defaults.properties) { own, _ in own })
    }

    /// The addresses that a client is told to try first, for error messages.
    var bootstrapServers: [String] {
        (properties["bootstrap.servers"] ?? properties["metadata.broker.list"] ?? "")
            .split(separator: ",")
            .map { String($0.drop(while: \.isWhitespace)) }
    }

    /// Whether a property's value is a credential, which is shown nowhere.
    ///
    /// The list is librdkafka's own (`_RK_SENSITIVE` in `rdkafka_conf.c`) with what later versions added; the words
    /// cover what future ones may add.
    static func isSensitive(_ property: String) -> Bool {
        let listed: Set = [
            "sasl.username", "sasl.oauthbearer.config", "sasl.oauthbearer.client.id", "ssl.key.location",
        ]
        let words = ["password", "secret", "pem", "token", "assertion", "passphrase"]
        return listed.contains(property) || words.contains { property.contains($0) }
    }

    /// The properties with every credential replaced.
    var redacted: [String: String] {
        Dictionary(uniqueKeysWithValues: properties.map { ($0, Self.isSensitive($0) ? "[redacted]" : $1) })
    }
}

extension KafkaConfiguration: ExpressibleByDictionaryLiteral {
    /// Creates a configuration from a literal; of a repeated property the last value counts.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}

extension KafkaConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The properties in order of their names, without credentials.
    public var description: String {
        redacted.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows `dump` and test failures no credential either.
    public var customMirror: Mirror {
        Mirror(self, children: ["properties": redacted], displayStyle: .struct)
    }
}
