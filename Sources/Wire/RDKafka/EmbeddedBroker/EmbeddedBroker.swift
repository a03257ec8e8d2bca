import CRDKafka
import Logging
import Synchronization

/// A Kafka cluster within this process, for demos and tests: librdkafka's mock cluster.
///
/// It listens on ports of its own on the loopback interface, so that any Kafka client of this machine can use it, in
/// this process or another, with groups, offsets, headers, timestamps and every compression.
///
/// ```swift
/// let broker = try EmbeddedBroker()
/// try broker.createTopic("app-events", partitions: 6)
/// let producer = try Producer(configuration: KafkaConfiguration(bootstrapServers: broker.bootstrapServers))
/// ```
///
/// ## What it is not
///
/// - It keeps everything in memory, at most 5 MiB or 100,000 batches of a partition, as compressed; then the oldest
///   go. Batches of more than 1 MB may become unreadable.
/// - Whoever asks for an unknown topic by its name, a consumer that subscribes to it too, creates it with 4 partitions:
///   create topics first. ``setError(_:ofTopic:)`` can make one look as if it did not exist.
/// - Transactions are accepted and do nothing, and a repeated batch of an idempotent producer is not recognized.
/// - Timestamps are always the producer's; offsets can't be looked up by time.
/// - The first join of a group takes three seconds.
public final class EmbeddedBroker: Sendable {
    /// Unchecked, because the pointers never change, and the mock cluster hands every call to its own thread.
    private final class Cluster: @unchecked Sendable {
        let pointer: OpaquePointer
        private let handle: ClientHandle

        init(_ pointer: OpaquePointer, handle: ClientHandle) {
            self.pointer = pointer
            self.handle = handle
        }

        deinit {
            // The client has to outlive the cluster that lives within it.
            rd_kafka_mock_cluster_destroy(pointer)
        }
    }

    private let cluster: Cluster
    var pointer: OpaquePointer { cluster.pointer }

    /// What clients set as `bootstrap.servers`.
    public let bootstrapServers: String
    /// How many brokers there are; their ids are 1 to this.
    public let brokerCount: Int
    /// The ports of the brokers that are down, by their ids.
    let reservations = Mutex<[Int: PortReservation]>([:])

    /// Starts a cluster, which ends when this is let go of.
    ///
    /// - Parameter brokers: How many brokers, from 1.
    /// - Throws: ``KafkaError`` where no port can be had.
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
            throw KafkaError(code: .transport, message: "Can't open a port on the loopback interface")
        }
        cluster = Cluster(pointer, handle: handle)
        bootstrapServers = String(cString: rd_kafka_mock_cluster_bootstraps(pointer))
        brokerCount = brokers
    }

    /// Creates a topic.
    ///
    /// - Throws: ``KafkaError`` where it exists already.
    public func createTopic(_ name: String, partitions: Int) throws(KafkaError) {
        try check(
            rd_kafka_mock_topic_create(pointer, name, Int32(partitions), Int32(min(3, brokerCount))),
            "Can't create the topic \(name)"
        )
    }

    func check(_ code: rd_kafka_resp_err_t, _ what: @autoclosure () -> String) throws(KafkaError) {
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
        throw KafkaError(code: KafkaError.Code(code), message: "\(what()): \(KafkaError.Code(code).explanation)")
    }
}
