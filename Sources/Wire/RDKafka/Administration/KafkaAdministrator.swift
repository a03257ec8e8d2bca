import CRDKafka
import Logging

/// Creates, changes and deletes the topics of a cluster, for tests and trials on a real broker. Every call blocks.
///
/// ```swift
/// let administrator = try KafkaAdministrator(configuration: configuration)
/// try administrator.createTopic("app-events", partitions: 6, ["message.timestamp.type": "LogAppendTime"])
/// ```
package final class KafkaAdministrator: Sendable {
    let handle: ClientHandle
    private let timeout = Duration.seconds(30)

    /// Creates a client. It connects with the first call.
    package init(
        configuration: KafkaConfiguration,
        logger: Logger = Logger(label: "kafka.administrator")
    ) throws(KafkaConfigurationError) {
        let context = ClientContext(configuration: configuration, logger: logger, onStatistics: nil)
        handle = try ClientHandle(RD_KAFKA_PRODUCER, configuration: configuration, context: context)
    }

    /// Creates a topic.
    ///
    /// - Parameters:
    ///   - name: the topic.
    ///   - partitions: the number of partitions. Each has one replica.
    ///   - properties: the topic's properties, such as `max.message.bytes`.
    package func createTopic(
        _ name: String,
        partitions: Int,
        _ properties: [String: String] = [:]
    ) throws(KafkaError) {
        var explanation = [CChar](repeating: 0, count: 512)
        let topic = rd_kafka_NewTopic_new(name, Int32(partitions), 1, &explanation, explanation.count)
        guard let topic else { throw KafkaError(code: .invalidArgument, message: text(explanation), topic: name) }
        defer { rd_kafka_NewTopic_destroy(topic) }
        for (property, value) in properties { rd_kafka_NewTopic_set_config(topic, property, value) }
        try request(RD_KAFKA_ADMIN_OP_CREATETOPICS, "Cannot create the topic \(name)") { options, answers in
            var topics: [OpaquePointer?] = [topic]
            rd_kafka_CreateTopics(handle.pointer, &topics, 1, options, answers)
        } errors: { answer, count in
            Self.errors(rd_kafka_CreateTopics_result_topics(answer, &count), count, rd_kafka_topic_result_error)
        }
    }

    /// Deletes a topic with all its records.
    package func deleteTopic(_ name: String) throws(KafkaError) {
        guard let topic = rd_kafka_DeleteTopic_new(name) else { return }
        defer { rd_kafka_DeleteTopic_destroy(topic) }
        try request(RD_KAFKA_ADMIN_OP_DELETETOPICS, "Cannot delete the topic \(name)") { options, answers in
            var topics: [OpaquePointer?] = [topic]
            rd_kafka_DeleteTopics(handle.pointer, &topics, 1, options, answers)
        } errors: { answer, count in
            Self.errors(rd_kafka_DeleteTopics_result_topics(answer, &count), count, rd_kafka_topic_result_error)
        }
    }

    /// Adds partitions to a topic, so that it has `count` of them.
    package func addPartitions(to name: String, upTo count: Int) throws(KafkaError) {
        var explanation = [CChar](repeating: 0, count: 512)
        let partitions = rd_kafka_NewPartitions_new(name, count, &explanation, explanation.count)
        guard let partitions else { throw KafkaError(code: .invalidArgument, message: text(explanation), topic: name) }
        defer { rd_kafka_NewPartitions_destroy(partitions) }
        try request(RD_KAFKA_ADMIN_OP_CREATEPARTITIONS, "Cannot add partitions to \(name)") { options, answers in
            var all: [OpaquePointer?] = [partitions]
            rd_kafka_CreatePartitions(handle.pointer, &all, 1, options, answers)
        } errors: { answer, count in
            Self.errors(rd_kafka_CreatePartitions_result_topics(answer, &count), count, rd_kafka_topic_result_error)
        }
    }

    /// Deletes the records of a partition below an offset.
    package func deleteRecords(of partition: TopicPartition, before offset: Int64) throws(KafkaError) {
        let list = TopicPartitionList([(partition: partition, offset: offset)])
        guard let records = rd_kafka_DeleteRecords_new(list.pointer) else { return }
        defer { rd_kafka_DeleteRecords_destroy(records) }
        try request(RD_KAFKA_ADMIN_OP_DELETERECORDS, "Cannot delete records of \(partition)") { options, answers in
            var all: [OpaquePointer?] = [records]
            rd_kafka_DeleteRecords(handle.pointer, &all, 1, options, answers)
        } errors: { answer, _ in
            TopicPartitionList.elements(of: rd_kafka_DeleteRecords_result_offsets(answer)).map { ($0.error, nil) }
        }
    }

    /// Sends a request, and waits for its answer.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - what: the beginning of the error's message.
    ///   - send: sends the request with these options; the answer comes to this queue.
    ///   - errors: returns the results in an answer, which may have no error; the count is scratch memory.
    func request(
        _ operation: rd_kafka_admin_op_t,
        _ what: String,
        send: (_ options: OpaquePointer?, _ answers: OpaquePointer?) -> Void,
        errors: (_ answer: OpaquePointer?, _ count: inout Int) -> [(rd_kafka_resp_err_t, String?)]
    ) throws(KafkaError) {
        let options = rd_kafka_AdminOptions_new(handle.pointer, operation)
        defer { rd_kafka_AdminOptions_destroy(options) }
        var explanation = [CChar](repeating: 0, count: 512)
        rd_kafka_AdminOptions_set_request_timeout(options, timeout.milliseconds, &explanation, explanation.count)
        let answers = rd_kafka_queue_new(handle.pointer)
        defer { rd_kafka_queue_destroy(answers) }
        send(options, answers)
        guard let answer = rd_kafka_queue_poll(answers, timeout.milliseconds) else {
            throw handle.context.error(RD_KAFKA_RESP_ERR__TIMED_OUT, message: what)
        }
        defer { rd_kafka_event_destroy(answer) }
        var count = 0
        let whole = (rd_kafka_event_error(answer), rd_kafka_event_error_string(answer).map { String(cString: $0) })
        for (code, reason) in [whole] + (whole.0 == RD_KAFKA_RESP_ERR_NO_ERROR ? errors(answer, &count) : [])
        where code != RD_KAFKA_RESP_ERR_NO_ERROR {
            throw handle.context.error(code, message: "\(what): \(reason ?? KafkaError.Code(code).explanation)")
        }
    }

    private static func errors(
        _ results: UnsafeMutablePointer<OpaquePointer?>?,
        _ count: Int,
        _ error: (OpaquePointer?) -> rd_kafka_resp_err_t
    ) -> [(rd_kafka_resp_err_t, String?)] {
        UnsafeBufferPointer(start: results, count: results == nil ? 0 : count).map { (error($0), nil) }
    }
}
