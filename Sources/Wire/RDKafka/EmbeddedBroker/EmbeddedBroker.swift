import CRDKafka
import Logging
import Synchronization

/// A Kafka cluster inside this process, for demos and tests: librdkafka's mock cluster.
///
/// It listens on free ports of the loopback interface. Any Kafka client on this machine can use it, with groups,
/// offsets, headers, timestamps and every compression.
///
/// ```swift
/// let broker = try EmbeddedBroker()
/// try broker.createTopic("app-events", partitions: 6)
/// let producer = try Producer(configuration: KafkaConfiguration(bootstrapServers: broker.bootstrapServers))
/// ```
///
/// ## Limitations
///
/// - All records are in memory, at most 5 MiB or 100,000 batches per partition, as compressed; then the oldest are
///   deleted. Batches of more than 1 MB may become unreadable.
/// - A request for an unknown topic by name, also a subscription of a consumer, creates the topic with 4 partitions:
///   create topics first. ``setError(_:ofTopic:)`` can simulate a topic that does not exist.
/// - Transactions are accepted and do nothing. A repeated batch of an idempotent producer is stored twice.
/// - Timestamps are always the producer's. Offsets cannot be looked up by time.
/// - The first join of a group takes three seconds.
public final class EmbeddedBroker: Sendable {
    /// Unchecked, because the pointers never change, and the mock cluster passes every call to its own thread.
    private final class Cluster: @unchecked Sendable {
        let pointer: OpaquePointer
        private let handle: ClientHandle

        init(_ pointer: OpaquePointer, handle: ClientHandle) {
            self.pointer = pointer
            self.handle = handle
        }

        deinit {
            // The cluster lives inside the client, so the client must outlive it.
            rd_kafka_mock_cluster_destroy(pointer)
        }
    }

    private let cluster: Cluster
    var pointer: OpaquePointer { cluster.pointer }

    /// The value for the clients' `bootstrap.servers`.
    public let bootstrapServers: String
    /// The number of brokers; their ids are 1 to this number.
    public let brokerCount: Int
    /// The reserved ports of the brokers that are down, by broker id.
    let reservations = Mutex<[Int: PortReservation]>([:])

    /// Starts a cluster. It ends when this object is deinitialized.
    ///
    /// - Parameters:
    ///   - brokers: the number of brokers, at least 1.
    ///   - logger: gets librdkafka's log lines.
    /// - Throws: ``KafkaError`` if there is no free port.
    public init(brokers: Int = 1, logger: Logger = Logger(label: "kafka.embedded-broker")) throws(KafkaError) {
        precondition(brokers > 0, "A cluster has at least one broker")
        let handle: ClientHandle
        do {
            let context = ClientContext(configuration: [:], logger: logger, onStatistics: nil)
            handle = try ClientHandle(RD_KAFKA_PRODUCER, configuration: [:], context: context)
        } catch {
            throw KafkaError(code: .wrongState, message: "\(error)")
        }
        guard let pointer = rd_kafka_mock_cluster_new(handle.pointer, Int32(brokers)) else {
            throw KafkaError(code: .transport, message: "Cannot open a port on the loopback interface")
        }
        cluster = Cluster(pointer, handle: handle)
        bootstrapServers = String(cString: rd_kafka_mock_cluster_bootstraps(pointer))
        brokerCount = brokers
    }

    /// Creates a topic.
    ///
    /// - Throws: ``KafkaError`` if the topic exists.
    public func createTopic(_ name: String, partitions: Int) throws(KafkaError) {
        try check(
            rd_kafka_mock_topic_create(pointer, name, Int32(partitions), Int32(min(3, brokerCount))),
            "Cannot create the topic \(name)"
        )
    }

    func check(_ code: rd_kafka_resp_err_t, _ what: @autoclosure () -> String) throws(KafkaError) {
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
        throw KafkaError(code: KafkaError.Code(code), message: "\(what()): \(KafkaError.Code(code).explanation)")
    }
}
