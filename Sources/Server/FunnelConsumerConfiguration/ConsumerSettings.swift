package import YAMLNodes

/// The settings of `funnel-consumer`, merged from the flags, the environment and the file.
package struct ConsumerSettings: Sendable, Hashable {
    /// The addresses of the brokers: `HOST:PORT,…`.
    package var bootstrapServers: String
    /// The topic of the events.
    package var topic: String
    /// The topic for invalid records.
    package var deadLetterTopic: String
    /// The consumer group.
    package var groupID: String?
    /// The store of the results.
    package var store: StoreURL
    /// The path of the funnels file.
    package var funnels: String
    /// How far behind its partition's watermark an event may be and still count.
    package var allowedLateness: Duration
    /// How long the last commit may take after the consumer is asked to stop.
    package var shutdownTimeout: Duration
    /// The memory for installs' states between commits, in MiB, from 1 to 16,777,216. States that do not fit are read from
    /// the store again when their events arrive.
    package var stateCacheMebibytes: Int
    /// The TCP port of `/healthz`, `/readyz` and `/metrics`; `nil`, the default, turns them off.
    package var metricsPort: UInt16?
    /// The IP address that the port is opened on. The default is the loopback address.
    package var metricsHost: String
    /// Other librdkafka properties, as text. They never include `bootstrap.servers` and `group.id`.
    package var kafka: PropertySection

    /// The range of ``stateCacheMebibytes``: up to 16 TiB.
    static let stateCacheRange = 1...(1 << 24)
    static let stateCacheExpectation = "a number of MiB, from 1 to 16777216"

    /// Merges layers. Each setting comes from the first layer that has it, or from ``ConsumerLayer/defaults``.
    ///
    /// - Parameter layers: the layers, the one with the highest precedence first: flags, environment, file. librdkafka's
    ///   properties are merged one by one.
    /// - Throws: `ConfigurationError` if the settings conflict.
    package init(layers: [ConsumerLayer]) throws(ConfigurationError) {
        let layers = layers + [.defaults]
        func first<Value>(_ setting: (ConsumerLayer) -> Value?, or fallback: Value) -> Value {
            layers.lazy.compactMap(setting).first ?? fallback
        }
        bootstrapServers = first(\.bootstrapServers, or: "")
        topic = first(\.topic, or: "")
        deadLetterTopic = first(\.deadLetterTopic, or: "")
        groupID = layers.lazy.compactMap(\.groupID).first
        store = first(\.store, or: .standard)
        funnels = first(\.funnels, or: "")
        allowedLateness = first(\.allowedLateness, or: .zero)
        shutdownTimeout = first(\.shutdownTimeout, or: .zero)
        stateCacheMebibytes = first(\.stateCacheMebibytes, or: 0)
        let port = first(\.metricsPort, or: 0)
        metricsPort = port == 0 ? nil : port
        metricsHost = first(\.metricsHost, or: "")
        kafka = layers.reversed().reduce(into: [:]) { $0.merge($1.kafka) }
        guard topic != deadLetterTopic else {
            throw ConfigurationError(
                source: "configuration",
                message: "topic and dead_letter_topic are both '\(topic)': expected two topics, because a "
                    + "dead letter would be read as an event again and again"
            )
        }
    }
}
