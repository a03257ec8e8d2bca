public import YAMLNodes

/// What `funnel-consumer` runs with, after the file, the environment and the flags have had their say.
public struct ConsumerSettings: Sendable, Hashable {
    /// Kafka's `HOST:PORT,…`.
    public var bootstrapServers: String
    /// The topic that the events come from.
    public var topic: String
    /// The topic that events go to that break a rule.
    public var deadLetterTopic: String
    /// The consumer group.
    public var groupID: String
    /// Where the results are kept.
    public var store: StoreURL
    /// The path of the funnels file.
    public var funnels: String
    /// How far behind its partition's watermark an event may be and still count, in milliseconds.
    public var allowedLateness: Int64
    /// How long the last commit may take once the consumer is told to stop.
    public var shutdownTimeout: Duration
    /// The memory for installs' states between commits, in MiB, from 1 to 16,777,216. Any others are read from
    /// the store when their events come.
    public var stateCacheMebibytes: Int
    /// The TCP port of `/healthz`, `/readyz` and `/metrics`; `nil` where they are off, as they are by default.
    public var metricsPort: UInt16?
    /// The IP address that the port is opened on: the loopback address unless something else is configured.
    public var metricsHost: String
    /// Further librdkafka properties, as text. `bootstrap.servers` and `group.id` are never among them.
    public var kafka: [String: String]

    /// The sizes that ``stateCacheMebibytes`` can have: up to 16 TiB.
    static let stateCacheRange = 1...(1 << 24)
    static let stateCacheExpectation = "a number of MiB, from 1 to 16777216"

    /// Puts layers on top of each other: each setting comes from the first layer that has it, and from
    /// ``ConsumerLayer/defaults`` where none has.
    ///
    /// - Parameter layers: the strongest first: flags, environment, file. librdkafka's properties are merged one by
    ///   one.
    /// - Throws: `ConfigurationError` where the settings do not go together.
    public init(layers: [ConsumerLayer]) throws(ConfigurationError) {
        let layers = layers + [.defaults]
        func first<Value>(_ setting: (ConsumerLayer) -> Value?, or fallback: Value) -> Value {
            layers.lazy.compactMap(setting).first ?? fallback
        }
        bootstrapServers = first(\.bootstrapServers, or: "")
        topic = first(\.topic, or: "")
        deadLetterTopic = first(\.deadLetterTopic, or: "")
        groupID = first(\.groupID, or: "")
        store = first(\.store, or: .standard)
        funnels = first(\.funnels, or: "")
        allowedLateness = first(\.allowedLateness, or: 0)
        shutdownTimeout = first(\.shutdownTimeout, or: .zero)
        stateCacheMebibytes = first(\.stateCacheMebibytes, or: 0)
        let port = first(\.metricsPort, or: 0)
        metricsPort = port == 0 ? nil : port
        metricsHost = first(\.metricsHost, or: "")
        kafka = layers.reversed().reduce(into: [:]) { $0.merge($1.kafka) { _, stronger in stronger } }
        guard topic != deadLetterTopic else {
            throw ConfigurationError(
                place: "configuration",
                message: "topic and dead_letter_topic are both '\(topic)': expected two topics, or a dead letter would "
                    + "come back as an event for ever"
            )
        }
    }
}
