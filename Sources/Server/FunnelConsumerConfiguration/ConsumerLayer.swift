public import YAMLNodes

/// What one source (the file, the environment, the flags) says about a consumer's settings; `nil` is nothing.
///
/// swift-configuration could merge such layers; its YAML provider keeps no line numbers and cannot name unknown keys.
public struct ConsumerLayer: Sendable, Hashable {
    /// See ``ConsumerSettings/bootstrapServers``.
    public var bootstrapServers: String?
    /// See ``ConsumerSettings/topic``.
    public var topic: String?
    /// See ``ConsumerSettings/deadLetterTopic``.
    public var deadLetterTopic: String?
    /// See ``ConsumerSettings/groupID``.
    public var groupID: String?
    /// See ``ConsumerSettings/store``.
    public var store: StoreURL?
    /// See ``ConsumerSettings/funnels``.
    public var funnels: String?
    /// See ``ConsumerSettings/allowedLateness``.
    public var allowedLateness: Int64?
    /// See ``ConsumerSettings/shutdownTimeout``.
    public var shutdownTimeout: Duration?
    /// See ``ConsumerSettings/stateCacheMebibytes``.
    public var stateCacheMebibytes: Int?
    /// See ``ConsumerSettings/metricsPort``; 0 is off.
    public var metricsPort: UInt16?
    /// See ``ConsumerSettings/metricsHost``.
    public var metricsHost: String?
    /// See ``ConsumerSettings/kafka``.
    public var kafka: [String: String]

    /// Creates a layer; what is not given is left to the layers below.
    public init(
        bootstrapServers: String? = nil,
        topic: String? = nil,
        deadLetterTopic: String? = nil,
        groupID: String? = nil,
        store: StoreURL? = nil,
        funnels: String? = nil,
        allowedLateness: Int64? = nil,
        shutdownTimeout: Duration? = nil,
        stateCacheMebibytes: Int? = nil,
        metricsPort: UInt16? = nil,
        metricsHost: String? = nil,
        kafka: [String: String] = [:]
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

    /// What holds where nothing is configured.
    public static let defaults = ConsumerLayer(
        bootstrapServers: "localhost:9092",
        topic: "app-events",
        deadLetterTopic: "app-events.dlq",
        groupID: "funnel-consumer",
        store: .standard,
        funnels: "config/funnels.yaml",
        allowedLateness: 14 * 86_400_000,
        shutdownTimeout: .seconds(20),
        stateCacheMebibytes: 512,
        metricsPort: 0,
        metricsHost: "127.0.0.1"
    )

    /// Reads the environment variables `KAFKA_BOOTSTRAP_SERVERS`, `KAFKA_TOPIC`, `KAFKA_DEAD_LETTER_TOPIC`,
    /// `KAFKA_GROUP_ID`, `STORE_URL`, `FUNNELS_PATH`, `STATE_CACHE_MIB`, `METRICS_PORT` and `METRICS_HOST`. An empty one is
    /// the same as none, as container tools pass them.
    ///
    /// - Throws: `ConfigurationError` where `STORE_URL` is no store, `STATE_CACHE_MIB` no size or `METRICS_PORT` no port.
    public init(environment: [String: String]) throws(ConfigurationError) {
        func variable(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        self.init(
            bootstrapServers: variable("KAFKA_BOOTSTRAP_SERVERS"),
            topic: variable("KAFKA_TOPIC"),
            deadLetterTopic: variable("KAFKA_DEAD_LETTER_TOPIC"),
            groupID: variable("KAFKA_GROUP_ID"),
            funnels: variable("FUNNELS_PATH"),
            metricsHost: variable("METRICS_HOST")
        )
        if let text = variable("STATE_CACHE_MIB") {
            guard let size = Int(text), ConsumerSettings.stateCacheRange.contains(size) else {
                let message = "expected \(ConsumerSettings.stateCacheExpectation), found '\(text)'"
                throw ConfigurationError(place: "STATE_CACHE_MIB", message: message)
            }
            stateCacheMebibytes = size
        }
        if let text = variable("METRICS_PORT") {
            guard let port = UInt16(text) else {
                let message = "expected a TCP port, 0 for off, found '\(text)'"
                throw ConfigurationError(place: "METRICS_PORT", message: message)
            }
            metricsPort = port
        }
        guard let url = variable("STORE_URL") else { return }
        do {
            store = try StoreURL(url)
        } catch {
            throw ConfigurationError(place: "STORE_URL", message: error.description)
        }
    }
}
