import FunnelServiceSupport
package import YAMLNodes

/// The settings of one source: the file, the environment, or the flags. A setting that the source does not have is `nil`.
///
/// ```swift
/// let flags = ConsumerLayer(topic: "app-events")
/// let settings = try ConsumerSettings(layers: [flags, ConsumerLayer(environment: environment), fileLayer])
/// ```
///
/// This is not swift-configuration, because its YAML provider keeps no line numbers and cannot report unknown keys.
package struct ConsumerLayer: Sendable, Hashable {
    /// See ``ConsumerSettings/bootstrapServers``.
    package var bootstrapServers: String?
    /// See ``ConsumerSettings/topic``.
    package var topic: String?
    /// See ``ConsumerSettings/deadLetterTopic``.
    package var deadLetterTopic: String?
    /// See ``ConsumerSettings/groupID``.
    package var groupID: String?
    /// See ``ConsumerSettings/store``.
    package var store: StoreURL?
    /// The stores that a report adds up; `nil` for ``store``. A consumer does not read it.
    package var stores: [StoreURL]?
    /// See ``ConsumerSettings/funnels``.
    package var funnels: String?
    /// See ``ConsumerSettings/allowedLateness``.
    package var allowedLateness: Duration?
    /// See ``ConsumerSettings/shutdownTimeout``.
    package var shutdownTimeout: Duration?
    /// See ``ConsumerSettings/stateCacheMebibytes``.
    package var stateCacheMebibytes: Int?
    /// See ``ConsumerSettings/metricsPort``; 0 is off.
    package var metricsPort: UInt16?
    /// See ``ConsumerSettings/metricsHost``.
    package var metricsHost: String?
    /// See ``ConsumerSettings/kafka``.
    package var kafka: PropertySection

    /// Creates a layer with the given settings.
    package init(
        bootstrapServers: String? = nil,
        topic: String? = nil,
        deadLetterTopic: String? = nil,
        groupID: String? = nil,
        store: StoreURL? = nil,
        funnels: String? = nil,
        allowedLateness: Duration? = nil,
        shutdownTimeout: Duration? = nil,
        stateCacheMebibytes: Int? = nil,
        metricsPort: UInt16? = nil,
        metricsHost: String? = nil,
        kafka: PropertySection = [:]
    ) {
        self.bootstrapServers = bootstrapServers
        self.topic = topic
        self.deadLetterTopic = deadLetterTopic
        self.groupID = groupID
        self.store = store
        self.funnels = funnels
        self.allowedLateness = allowedLateness
        self.shutdownTimeout = shutdownTimeout
        self.stateCacheMebibytes = stateCacheMebibytes
        self.metricsPort = metricsPort
        self.metricsHost = metricsHost
        self.kafka = kafka
    }

    /// The default settings.
    package static let defaults = ConsumerLayer(
        bootstrapServers: "localhost:9092",
        topic: "app-events",
        deadLetterTopic: "app-events.dlq",
        store: .standard,
        funnels: "config/funnels.yaml",
        allowedLateness: .seconds(14 * 86_400),
        shutdownTimeout: .seconds(20),
        stateCacheMebibytes: 512,
        metricsPort: 0,
        metricsHost: "127.0.0.1"
    )

    /// Reads the environment variables `KAFKA_BOOTSTRAP_SERVERS`, `KAFKA_TOPIC`, `KAFKA_DEAD_LETTER_TOPIC`,
    /// `KAFKA_GROUP_ID`, `STORE_URL`, `FUNNELS_PATH`, `STATE_CACHE_MIB`, `METRICS_PORT` and `METRICS_HOST`, see
    /// `EnvironmentVariables`.
    ///
    /// - Throws: `ConfigurationError` if the list of brokers, a topic's name, `STORE_URL`, `STATE_CACHE_MIB`,
    ///   `METRICS_PORT` or `METRICS_HOST` is not valid.
    package init(environment: [String: String]) throws(ConfigurationError) {
        let variables = EnvironmentVariables(environment)
        self.init(
            bootstrapServers: try variables.value("KAFKA_BOOTSTRAP_SERVERS", .brokers),
            topic: try variables.value("KAFKA_TOPIC", .topic),
            deadLetterTopic: try variables.value("KAFKA_DEAD_LETTER_TOPIC", .topic),
            groupID: variables["KAFKA_GROUP_ID"],
            funnels: variables["FUNNELS_PATH"],
            metricsHost: try variables.value("METRICS_HOST", .ipAddress)
        )
        if let text = variables["STATE_CACHE_MIB"] {
            guard let size = Int(text), ConsumerSettings.stateCacheRange.contains(size) else {
                let message = "expected \(ConsumerSettings.stateCacheExpectation), found '\(text)'"
                throw ConfigurationError(source: "STATE_CACHE_MIB", message: message)
            }
            stateCacheMebibytes = size
        }
        if let text = variables["METRICS_PORT"] {
            guard let port = UInt16(text) else {
                let message = "expected a TCP port, 0 for off, found '\(text)'"
                throw ConfigurationError(source: "METRICS_PORT", message: message)
            }
            metricsPort = port
        }
        guard let url = variables["STORE_URL"] else { return }
        do {
            store = try StoreURL(url)
        } catch {
            throw ConfigurationError(source: "STORE_URL", message: error.description)
        }
    }
}
