/// The properties of a Kafka client, with librdkafka's names and values.
///
/// Any property of librdkafka can be set:
///
/// ```swift
/// var configuration: KafkaConfiguration = ["bootstrap.servers": "kafka-1:9092,kafka-2:9092"]
/// configuration["security.protocol"] = "sasl_ssl"
/// ```
///
/// A client checks names and values when it is created; see ``KafkaConfigurationError``. All properties are in
/// [librdkafka's CONFIGURATION.md](https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md).
///
/// Its descriptions and reflections contain no credentials.
public struct KafkaConfiguration: Sendable, Hashable {
    /// Values by property name.
    public var properties: [String: String]

    /// Creates a configuration from property names and values.
    public init(_ properties: [String: String] = [:]) {
        self.properties = properties
    }

    /// Creates a configuration for the given brokers.
    ///
    /// - Parameter bootstrapServers: `host:port`, several separated by commas.
    public init(bootstrapServers: String) {
        self.init(["bootstrap.servers": bootstrapServers])
    }

    /// The value of a property, or `nil` for librdkafka's default.
    ///
    /// A property may have two names, such as `max.partition.fetch.bytes` and `fetch.message.max.bytes`: a value that is
    /// set under one of them is the value of both, and replaces that under the other.
    public subscript(property: String) -> String? {
        get {
            // The later one in the order in which the client sets them counts.
            Self.names(of: property).sorted(by: >).lazy.compactMap { properties[$0] }.first
        }
        set {
            for name in Self.names(of: property) { properties[name] = nil }
            properties[property] = newValue
        }
    }

    /// Returns this configuration, with the values of `defaults` for the properties that it does not set.
    public func withDefaults(_ defaults: KafkaConfiguration) -> KafkaConfiguration {
        var result = self
        for (property, value) in defaults.properties where self[property] == nil { result[property] = value }
        return result
    }

    /// The second names of properties: "Alias for" in librdkafka's CONFIGURATION.md.
    static let aliases = [
        "bootstrap.servers": "metadata.broker.list", "compression.type": "compression.codec",
        "delivery.timeout.ms": "message.timeout.ms", "max.in.flight": "max.in.flight.requests.per.connection",
        "max.partition.fetch.bytes": "fetch.message.max.bytes", "queue.buffering.max.ms": "linger.ms",
        "request.required.acks": "acks", "retries": "message.send.max.retries", "sasl.mechanism": "sasl.mechanisms",
    ]

    private static func names(of property: String) -> [String] {
        let first = aliases[property] ?? property
        return [first] + aliases.filter { $0.value == first }.map(\.key)
    }

    /// The configured addresses of brokers, for error messages.
    var bootstrapServers: [String] {
        (self["bootstrap.servers"] ?? "")
            .split(separator: ",")
            .map { String($0.drop(while: \.isWhitespace)) }
    }

    /// Whether the value of a property is a credential, which must not be shown.
    ///
    /// The list is librdkafka's (`_RK_SENSITIVE` in `rdkafka_conf.c`), plus properties of later versions. The words
    /// cover properties of future versions.
    static func isSensitive(_ property: String) -> Bool {
        let listed: Set = [
            "sasl.username", "sasl.oauthbearer.config", "sasl.oauthbearer.client.id", "ssl.key.location",
        ]
        let words = ["password", "secret", "pem", "token", "assertion", "passphrase"]
        return listed.contains(property) || words.contains { property.contains($0) }
    }

    /// The properties, with credentials replaced.
    var redacted: [String: String] {
        Dictionary(uniqueKeysWithValues: properties.map { ($0, Self.isSensitive($0) ? "[redacted]" : $1) })
    }
}

extension KafkaConfiguration: ExpressibleByDictionaryLiteral {
    /// Creates a configuration from a literal; the last value of a repeated property counts.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}

extension KafkaConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The properties in the order of their names, without credentials.
    public var description: String {
        redacted.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")
    }

    /// The same as ``description``: without credentials.
    public var debugDescription: String { description }

    /// A mirror without credentials, for `dump` and test failures.
    public var customMirror: Mirror {
        Mirror(self, children: ["properties": redacted], displayStyle: .struct)
    }
}
