import FlowEvents
public import Funnels
public import RDKafka
import Logging

/// What a consumer reads, counts and keeps.
///
/// ```swift
/// var options = FunnelConsumerOptions(
///     kafka: ["bootstrap.servers": "localhost:9092"],
///     topic: "app-events",
///     deadLetterTopic: "app-events.dlq",
///     groupID: "funnel-consumer",
///     funnels: try FunnelsFile.read(path: "config/funnels.yaml"),
///     allowedLateness: .seconds(14 * 86_400),
///     exitsAtEnd: false
/// )
/// options.commitInterval = .seconds(2)
/// ```
public struct FunnelConsumerOptions: Sendable {
    /// librdkafka's properties: `bootstrap.servers` and any others.
    public var kafka: KafkaConfiguration
    /// The topic of the events.
    public var topic: String
    /// The topic for invalid records.
    public var deadLetterTopic: String
    /// The consumer group. `nil` for ``defaultGroupID`` or, if consumers share the store, that with the store's id behind
    /// it.
    ///
    /// The consumers of a shared store share the topic's partitions in it. Where a store belongs to one consumer, that reads
    /// all partitions, and the group only shows how far it is.
    public var groupID: String?
    /// The funnels, in the order of the funnels file.
    public var funnels: [Funnel]
    /// Reads the funnels file again after a rebuild has changed the store's funnels.
    ///
    /// If the file then has the store's funnels, the consumer continues with them. Otherwise, and without this closure,
    /// the consumer ends with an error.
    public var rereadFunnels: (@Sendable () throws -> [Funnel])?
    /// How far behind its partition's watermark an event may be and still count. Counted in whole milliseconds.
    public var allowedLateness: Duration
    /// Whether the run ends at the end offsets that it finds at the start. Otherwise it runs until it is stopped.
    public var exitsAtEnd: Bool
    /// The longest time between two commits while records keep arriving. While the consumer is behind it is six times as
    /// long.
    public var commitInterval: Duration = .milliseconds(800)
    /// The memory for installs' states between commits, in bytes. States that do not fit are read from the store again
    /// when their events arrive.
    public var cacheBytes = 512 << 20
    /// How long the brokers may take to answer at the start.
    public var startTimeout: Duration = .seconds(15)
    /// How long the last commit may take after ``FunnelConsumer/stop()`` before the run ends without it.
    public var shutdownTimeout: Duration = .seconds(20)

    /// Called on the consumer's thread with the number of records that it has read since its start.
    package var onRead: (@Sendable (_ recordCount: Int) -> Void)?

    /// Creates options.
    public init(
        kafka: KafkaConfiguration,
        topic: String,
        deadLetterTopic: String,
        groupID: String? = nil,
        funnels: [Funnel],
        allowedLateness: Duration,
        exitsAtEnd: Bool
    ) {
        self.kafka = kafka
        self.topic = topic
        self.deadLetterTopic = deadLetterTopic
        self.groupID = groupID
        self.funnels = funnels
        self.allowedLateness = allowedLateness
        self.exitsAtEnd = exitsAtEnd
    }

    /// The consumer group of a store that belongs to one consumer, unless ``groupID`` names another.
    public static let defaultGroupID = "funnel-consumer"

    // How often to look for partitions that were added to the topic, if no group assigns them, and for another store in
    // the group. Shorter in tests.
    var assignmentCheckInterval = Duration.seconds(10)

    // Not an option: two consumers of one store with different limits would count differently.
    var evidenceLimit = FunnelBounds.standardEvidenceLimit

    // How often to compare records that were read before with the topic's while records arrive. Shorter in tests.
    var topicCheckInterval = Duration.seconds(10)

    // How long a commit may take before the log says so. Shorter in tests.
    var slowCommit = Duration.seconds(10)

    var bounds: FunnelBounds {
        FunnelBounds(
            allowedLateness: allowedLateness.wholeMilliseconds,
            cacheBytes: cacheBytes,
            evidenceLimit: evidenceLimit
        )
    }
}

extension FunnelConsumerOptions {
    /// Checks ``kafka`` without connecting to a broker and without creating anything.
    ///
    /// - Throws: `KafkaConfigurationError` for a property that does not exist, has a wrong value, or conflicts with
    ///   another.
    public func check() throws {
        // Only a client knows which properties conflict. Without an address it connects to nothing, and logs that it
        // has none: the logger drops that.
        var offline = kafka
        for property in ["bootstrap.servers", "metadata.broker.list"] { offline[property] = nil }
        let silent = Logger(label: "check") { _ in SwiftLogNoOpLogHandler() }
        try Consumer(configuration: offline, groupID: groupID ?? Self.defaultGroupID, logger: silent).close()
        let sender = DeadLetterSender(configuration: offline, topic: deadLetterTopic, logger: silent)
        try sender.check()
        sender.close()
    }
}
