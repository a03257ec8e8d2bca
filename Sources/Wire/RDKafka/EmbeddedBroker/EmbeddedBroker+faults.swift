import CRDKafka
import Synchronization

extension EmbeddedBroker {
    /// A type of request, by its [key in the protocol](https://kafka.apache.org/protocol.html#protocol_api_keys).
    public enum Request: Int16, Sendable, CaseIterable {
        /// Produces records.
        case produce = 0
        /// Fetches records.
        case fetch = 1
        /// Requests watermarks.
        case listOffsets = 2
        /// Requests topics and brokers.
        case metadata = 3
        /// Commits a group's offsets.
        case offsetCommit = 8
        /// Requests a group's offsets.
        case offsetFetch = 9
        /// Requests a group's coordinator.
        case findCoordinator = 10
        /// Joins a group.
        case joinGroup = 11
        /// Keeps the membership in a group.
        case heartbeat = 12
        /// Leaves a group.
        case leaveGroup = 13
        /// Requests the partitions that the group's leader has assigned.
        case syncGroup = 14
        /// Requests the id of an idempotent producer.
        case initProducerID = 22
    }

    /// Closes all connections of a broker and refuses new ones.
    ///
    /// - Important: Start no process at the same time. Until its own program begins, it has a copy of the broker's
    ///   listener. Then librdkafka cannot keep the port for ``bringUp(_:)``, and ends this program.
    /// - Parameter broker: the broker's id; `nil` for all brokers.
    public func takeDown(_ broker: Int? = nil) throws(KafkaError) {
        try check(rd_kafka_mock_broker_set_down(pointer, id(broker)), "Cannot take the broker down")
        for id in broker.map({ [$0] }) ?? Array(1...brokerCount) {
            guard let port = port(of: id), let reservation = PortReservation(port: port) else { continue }
            reservations.withLock { $0[id] = reservation }
        }
    }

    /// Accepts connections again.
    public func bringUp(_ broker: Int? = nil) throws(KafkaError) {
        try check(rd_kafka_mock_broker_set_up(pointer, id(broker)), "Cannot bring the broker up")
        reservations.withLock { reservations in
            if let broker { reservations[broker] = nil } else { reservations = [:] }
        }
    }

    // The bootstrap servers are in the order of the brokers' ids.
    private func port(of id: Int) -> UInt16? {
        let servers = bootstrapServers.split(separator: ",")
        guard servers.indices.contains(id - 1) else { return nil }
        return servers[id - 1].split(separator: ":").last.flatMap { UInt16($0) }
    }

    /// Delays every answer.
    public func setRoundTrip(_ delay: Duration, broker: Int? = nil) throws(KafkaError) {
        try check(rd_kafka_mock_broker_set_rtt(pointer, id(broker), delay.milliseconds), "Cannot delay the broker")
    }

    /// Answers the next requests of this type with these errors, one error per request. ``KafkaError/Code/transport``
    /// closes the connection.
    public func fail(_ request: Request, with errors: [KafkaError.Code]) {
        let codes = errors.map(\.response)
        rd_kafka_mock_push_request_errors_array(pointer, request.rawValue, codes.count, codes)
    }

    /// Removes the errors of ``fail(_:with:)`` that no request has received yet.
    public func clearFailures(of request: Request) {
        rd_kafka_mock_clear_request_errors(pointer, request.rawValue)
    }

    /// Answers requests about a topic with an error; `nil` removes the error.
    public func setError(_ error: KafkaError.Code?, ofTopic topic: String) {
        rd_kafka_mock_topic_set_error(pointer, topic, error?.response ?? RD_KAFKA_RESP_ERR_NO_ERROR)
    }

    /// Makes a broker the coordinator of a group.
    public func setCoordinator(ofGroup group: String, to broker: Int) throws(KafkaError) {
        try check(
            rd_kafka_mock_coordinator_set(pointer, "group", group, Int32(broker)),
            "Cannot set the group's coordinator"
        )
    }

    /// Makes a broker the leader of a partition; `nil` leaves the partition without a leader.
    ///
    /// - Important: Leave no partition without a leader while a client reads it or writes to it; use ``takeDown(_:)``
    ///   instead. Since librdkafka 2.5, the previous leader tells such a client the new leader. Where there is none, librdkafka
    ///   reads through a null pointer, and this program ends.
    public func setLeader(of partition: TopicPartition, to broker: Int?) throws(KafkaError) {
        try check(
            rd_kafka_mock_partition_set_leader(pointer, partition.topic, partition.partition, id(broker)),
            "Cannot set the partition's leader"
        )
    }

    private func id(_ broker: Int?) -> Int32 { broker.map { Int32($0) } ?? -1 }
}
