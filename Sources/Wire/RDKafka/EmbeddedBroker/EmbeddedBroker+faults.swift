import CRDKafka
import Synchronization

extension EmbeddedBroker {
    /// A kind of request, by its [key in the protocol](https://kafka.apache.org/protocol.html#protocol_api_keys).
    public enum Request: Int16, Sendable, CaseIterable {
        /// Publishing.
        case produce = 0
        /// Reading.
        case fetch = 1
        /// Asking for watermarks.
        case listOffsets = 2
        /// Asking for topics and brokers.
        case metadata = 3
        /// Committing a group's offsets.
        case offsetCommit = 8
        /// Asking for a group's offsets.
        case offsetFetch = 9
        /// Asking for a group's coordinator.
        case findCoordinator = 10
        /// Joining a group.
        case joinGroup = 11
        /// Staying in a group.
        case heartbeat = 12
        /// Leaving a group.
        case leaveGroup = 13
        /// Asking for what the group's leader has assigned.
        case syncGroup = 14
        /// Asking for an idempotent producer's id.
        case initProducerID = 22
    }

    /// Closes all connections of a broker and takes no new ones.
    ///
    /// - Parameter broker: Its id, or `nil` for all.
    public func takeDown(_ broker: Int? = nil) throws(KafkaError) {
        try check(rd_kafka_mock_broker_set_down(pointer, id(broker)), "Can't take the broker down")
        for id in broker.map({ [$0] }) ?? Array(1...brokerCount) {
            guard let port = port(of: id), let reservation = PortReservation(port: port) else { continue }
            reservations.withLock { $0[id] = reservation }
        }
    }

    /// Takes connections again.
    public func bringUp(_ broker: Int? = nil) throws(KafkaError) {
        try check(rd_kafka_mock_broker_set_up(pointer, id(broker)), "Can't bring the broker up")
        reservations.withLock { reservations in
            if let broker { reservations[broker] = nil } else { reservations = [:] }
        }
    }

    // The bootstrap servers are the brokers in the order of their ids.
    private func port(of id: Int) -> UInt16? {
        let servers = bootstrapServers.split(separator: ",")
        guard servers.indices.contains(id - 1) else { return nil }
        return servers[id - 1].split(separator: ":").last.flatMap { UInt16($0) }
    }

    /// Makes every answer wait.
    public func setRoundTrip(_ delay: Duration, broker: Int? = nil) throws(KafkaError) {
        try check(rd_kafka_mock_broker_set_rtt(pointer, id(broker), delay.milliseconds), "Can't delay the broker")
    }

    /// Answers the next requests of a kind with errors, one each; ``KafkaError/Code/transport`` closes the connection.
    public func fail(_ request: Request, with errors: [KafkaError.Code]) {
        let codes = errors.map(\.response)
        rd_kafka_mock_push_request_errors_array(pointer, request.rawValue, codes.count, codes)
    }

    /// Forgets the errors that were not answered yet.
    public func clearFailures(of request: Request) {
        rd_kafka_mock_clear_request_errors(pointer, request.rawValue)
    }

    /// Answers questions about a topic with an error; `nil` ends it.
    public func setError(_ error: KafkaError.Code?, ofTopic topic: String) {
        rd_kafka_mock_topic_set_error(pointer, topic, error?.response ?? RD_KAFKA_RESP_ERR_NO_ERROR)
    }

    /// Makes a broker the coordinator of a group.
    public func setCoordinator(ofGroup group: String, to broker: Int) throws(KafkaError) {
        try check(
            rd_kafka_mock_coordinator_set(pointer, "group", group, Int32(broker)),
            "Can't set the group's coordinator"
        )
    }

    /// Makes a broker the leader of a partition; `nil` leaves it without.
    public func setLeader(of partition: TopicPartition, to broker: Int?) throws(KafkaError) {
        try check(
            rd_kafka_mock_partition_set_leader(pointer, partition.topic, partition.partition, id(broker)),
            "Can't set the partition's leader"
        )
    }

    private func id(_ broker: Int?) -> Int32 { broker.map { Int32($0) } ?? -1 }
}
