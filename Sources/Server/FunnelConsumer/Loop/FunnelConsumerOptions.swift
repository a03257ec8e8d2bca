public import Funnels
public import RDKafka

/// What a consumer is to read, count and keep.
public struct FunnelConsumerOptions: Sendable {
    /// How the brokers are reached: `bootstrap.servers` and any other librdkafka property.
    public var kafka: KafkaConfiguration
    /// The topic that the events are read from.
    public var topic: String
    /// The topic that invalid records go to.
    public var deadLetterTopic: String
    /// The consumer group that shares the topic's partitions.
    public var groupID: String
    /// The funnels, in the order of the funnels file.
    public var funnels: [Funnel]
    /// Reads the funnels file again, where a rebuild has changed the funnels of the store: a file that says the same lets
    /// the consumer go on without a new start. Without it, and where the file says something else, the consumer stops.
    public var rereadFunnels: (@Sendable () throws -> [Funnel])?
    /// How far behind its partition's watermark an event may be and still count, in milliseconds.
    public var allowedLateness: Int64
    /// Whether to end at the end offsets seen at the start; else it runs until it is stopped.
    public var exitsAtEnd: Bool
    /// The longest time between two commits under load.
    public var commitInterval: Duration = .milliseconds(800)
    /// The bytes of memory that installs' states may take between commits. Those that do not fit are read again from
    /// the store when their events come.
    public var cacheBytes = 512 << 20
    /// How long the brokers may take to answer at the start.
    public var startTimeout: Duration = .seconds(15)
    /// How long the last commit may take once the consumer is told to stop; then it ends without.
    public var shutdownTimeout: Duration = .seconds(20)

    /// Creates options.
    ///
    /// - Parameter allowedLateness: in milliseconds.
    public init(
        kafka: KafkaConfiguration,
        topic: String,
        deadLetterTopic: String,
        groupID: String,
        funnels: [Funnel],
        allowedLateness: Int64,
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

    // Not an option: two consumers of one store that differ in it would count differently.
    var evidenceLimit = FunnelBounds.standardEvidenceLimit

    var bounds: FunnelBounds {
        FunnelBounds(allowedLateness: allowedLateness, cacheBytes: cacheBytes, evidenceLimit: evidenceLimit)
    }
}
