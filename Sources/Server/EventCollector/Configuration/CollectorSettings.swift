public import FunnelServiceSupport
public import YAMLNodes

/// The settings of a collector.
public struct CollectorSettings: Sendable, Hashable {
    /// The address to listen on.
    public var address: ListenAddress = .standard
    /// The addresses of Kafka brokers: `HOST:PORT`, separated by commas.
    public var bootstrapServers = "localhost:9092"
    /// The topic of the events.
    public var topic = "app-events"
    /// The topic of the stores' events that have no install, or break another rule.
    public var deadLetterTopic = "app-events.dlq"
    /// The write keys at the start.
    public var keys: [WriteKey] = []
    /// The limits of a request, of a key and of all requests together.
    public var limits = CollectorLimits()
    /// The time limits.
    public var timeouts = CollectorTimeouts()
    /// The certificate, if the collector serves TLS itself.
    public var tls: CollectorTLS?
    /// The origins whose web pages may send events, such as `https://shop.example.com`.
    public var origins: [String] = []
    /// What stores' servers may post.
    public var webhooks = WebhookSettings()
    /// More librdkafka properties, as text.
    public var kafka: PropertySection = [:]

    /// Creates the default settings, without a write key.
    public init() {}
}

extension CollectorSettings {
    /// Overrides the settings with the environment variables `COLLECTOR_LISTEN`, `KAFKA_BOOTSTRAP_SERVERS`, `KAFKA_TOPIC`
    /// and `KAFKA_DEAD_LETTER_TOPIC`, see `EnvironmentVariables`.
    ///
    /// - Throws: `ConfigurationError` if one of them is not valid.
    package mutating func apply(environment: [String: String]) throws(ConfigurationError) {
        let variables = EnvironmentVariables(environment)
        address = try variables.value("COLLECTOR_LISTEN", .listenAddress) ?? address
        bootstrapServers = try variables.value("KAFKA_BOOTSTRAP_SERVERS", .brokers) ?? bootstrapServers
        topic = try variables.value("KAFKA_TOPIC", .topic) ?? topic
        deadLetterTopic = try variables.value("KAFKA_DEAD_LETTER_TOPIC", .topic) ?? deadLetterTopic
    }
}

/// The limits. The collector answers 413, 429 or 503 to what exceeds them.
public struct CollectorLimits: Sendable, Hashable {
    /// The bytes of a body as sent.
    public var bodySize = 1_048_576
    /// The bytes of a body after decompression.
    public var decompressedSize = 8_388_608
    /// The events of a batch.
    public var batchCount = 1_000
    /// The events that a write key may send per second, as an average over ten seconds.
    public var eventsPerSecond = 10_000
    /// The requests without a valid write key that may fail per second for one address, as an average over ten seconds.
    public var failuresPerSecond = 100
    /// The number of connections with a request, half of it for one write key's name. A connection without a request is
    /// closed if a new one needs its room.
    public var connections = 1_000
    /// The bytes that all requests together may hold until their answers are sent.
    public var pendingSize = 67_108_864
    /// The bytes that the requests with one write key's name may hold until their answers are sent.
    public var pendingSizePerKey = 33_554_432

    /// Creates the default limits.
    public init() {}
}

/// The time limits for clients and Kafka.
public struct CollectorTimeouts: Sendable, Hashable {
    /// The time from the end of a request's headers to the end of its body. Also the time that a client has to
    /// read an answer.
    public var request = Duration.seconds(30)
    /// The time of a connection without a request, and the time for a request's headers.
    public var idle = Duration.seconds(60)
    /// The time until Kafka's acknowledgment. After it, the answer is 503.
    public var publish = Duration.seconds(10)

    /// Creates the default time limits.
    public init() {}
}

/// The PEM files of a TLS server.
public struct CollectorTLS: Sendable, Hashable {
    /// The path of the certificate chain, the server's certificate first.
    public var certificate: String
    /// The path of the private key.
    public var key: String

    /// Creates the setting from the paths of the files.
    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// An address to listen on: `127.0.0.1:8080`, `[::1]:8080`.
public typealias ListenAddress = FunnelServiceSupport.ListenAddress

extension ListenAddress {
    /// The default: only this machine can reach the collector.
    public static let standard = ListenAddress(host: "127.0.0.1", port: 8080)
}
