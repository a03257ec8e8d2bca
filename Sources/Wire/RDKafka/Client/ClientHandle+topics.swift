import CRDKafka

extension ClientHandle {
    /// The number of partitions of a topic, or `nil` if it does not exist.
    ///
    /// Requests the metadata of all topics, because old brokers and the mock cluster create a topic that is requested
    /// by name. That list leaves out the topics that the user may not describe, so ``describe(_:within:)`` finds out
    /// whether the topic is one of them. A consumer that has subscribed requests its topic by name: see ``isSubscribed``.
    ///
    /// - Throws: ``KafkaError`` with the code ``KafkaError/Code/topicAuthorizationFailed`` if the user may not describe
    ///   the topic.
    func partitionCount(of topic: String, within timeout: Duration) throws(KafkaError) -> Int? {
        // librdkafka dereferences a null pointer for such a name.
        guard !topic.isEmpty else { return nil }
        if isSubscribed { return try partitionCount(named: topic, within: timeout) }
        if let count = try partitionCount(of: topic, named: nil, within: timeout) { return count }
        do throws(KafkaError) {
            // An old broker, which hides no topics, or the mock cluster.
            if try describe(topic, within: timeout) == nil { return nil }
        } catch  where error.code == .unknownTopicOrPartition {
            return nil
        } catch  where error.code == .topicAuthorizationFailed {
            // The right to describe the configuration is another one.
        }
        return try partitionCount(named: topic, within: timeout)
    }

    /// Whether this is a consumer that has subscribed to topics.
    ///
    /// Such a consumer must not request all topics. librdkafka 2.1 to 2.3 then takes its own topics as gone and gives its
    /// partitions back (https://github.com/confluentinc/librdkafka/issues/4685). It may request a topic by name: a consumer's
    /// request creates none.
    private var isSubscribed: Bool {
        var topics: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?
        guard rd_kafka_subscription(pointer, &topics) == RD_KAFKA_RESP_ERR_NO_ERROR, let topics else { return false }
        defer { rd_kafka_topic_partition_list_destroy(topics) }
        return topics.pointee.cnt > 0
    }

    private func partitionCount(named topic: String, within timeout: Duration) throws(KafkaError) -> Int? {
        guard let named = rd_kafka_topic_new(pointer, topic, nil) else { return nil }
        defer { rd_kafka_topic_destroy(named) }
        return try partitionCount(of: topic, named: named, within: timeout)
    }

    /// Requests the metadata of one topic, or with `nil` of all that the user may describe.
    private func partitionCount(
        of topic: String,
        named: OpaquePointer?,
        within timeout: Duration
    ) throws(KafkaError) -> Int? {
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let code = rd_kafka_metadata(pointer, named == nil ? 1 : 0, named, &metadata, timeout.milliseconds)
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata else {
            throw context.error(
                code,
                message: "Cannot request the topics: \(KafkaError.Code(code).explanation)",
                topic: topic
            )
        }
        defer { rd_kafka_metadata_destroy(metadata) }
        let topics = UnsafeBufferPointer(start: metadata.pointee.topics, count: Int(metadata.pointee.topic_cnt))
        guard let answer = topics.first(where: { String(cString: $0.topic) == topic }) else { return nil }
        switch answer.err {
        case RD_KAFKA_RESP_ERR_NO_ERROR, RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE:
            return Int(answer.partition_cnt)
        case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
            return nil
        default:
            throw context.error(answer.err, topic: topic)
        }
    }

    /// The configuration of a topic, or `nil` if the broker cannot return it. The request does not create the topic.
    ///
    /// - Throws: ``KafkaError`` if the topic does not exist, the user may not describe its configuration, or no broker
    ///   answers in time.
    func describe(_ topic: String, within timeout: Duration) throws(KafkaError) -> [String: String]? {
        func error(_ code: rd_kafka_resp_err_t) -> KafkaError {
            context.error(
                code,
                message: "Cannot request the topic's configuration: \(KafkaError.Code(code).explanation)",
                topic: topic
            )
        }
        let options = rd_kafka_AdminOptions_new(pointer, RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS)
        defer { rd_kafka_AdminOptions_destroy(options) }
        var explanation = [CChar](repeating: 0, count: 512)
        rd_kafka_AdminOptions_set_request_timeout(options, timeout.milliseconds, &explanation, explanation.count)
        // Without a broker, librdkafka waits for the controller, which the mock cluster does not have.
        if let broker = try brokerID(within: timeout) {
            rd_kafka_AdminOptions_set_broker(options, broker, &explanation, explanation.count)
        }
        let resource = rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic)
        defer { rd_kafka_ConfigResource_destroy(resource) }
        let answers = rd_kafka_queue_new(pointer)
        defer { rd_kafka_queue_destroy(answers) }
        var resources = [resource]
        rd_kafka_DescribeConfigs(pointer, &resources, resources.count, options, answers)
        guard let answer = rd_kafka_queue_poll(answers, timeout.milliseconds) else {
            throw error(RD_KAFKA_RESP_ERR__TIMED_OUT)
        }
        defer { rd_kafka_event_destroy(answer) }
        let code = rd_kafka_event_error(answer)
        if code == RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE { return nil }
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR else { throw error(code) }
        var count = 0
        guard let described = rd_kafka_DescribeConfigs_result_resources(answer, &count), count > 0 else { return nil }
        let result = rd_kafka_ConfigResource_error(described[0])
        guard result == RD_KAFKA_RESP_ERR_NO_ERROR else { throw error(result) }
        guard let entries = rd_kafka_ConfigResource_configs(described[0], &count) else { return [:] }
        var configuration: [String: String] = [:]
        for index in 0..<count {
            guard let name = rd_kafka_ConfigEntry_name(entries[index]),
                let value = rd_kafka_ConfigEntry_value(entries[index])
            else { continue }
            configuration[String(cString: name)] = String(cString: value)
        }
        return configuration
    }

    /// The id of any broker. It requests only the topics that the client uses: see ``isSubscribed``.
    private func brokerID(within timeout: Duration) throws(KafkaError) -> Int32? {
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let code = rd_kafka_metadata(pointer, 0, nil, &metadata, timeout.milliseconds)
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata else {
            throw context.error(code, message: "Cannot request the brokers: \(KafkaError.Code(code).explanation)")
        }
        defer { rd_kafka_metadata_destroy(metadata) }
        return UnsafeBufferPointer(start: metadata.pointee.brokers, count: Int(metadata.pointee.broker_cnt)).first?.id
    }
}
