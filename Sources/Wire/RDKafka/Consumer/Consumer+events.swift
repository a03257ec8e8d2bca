import CRDKafka

extension Consumer {
    /// The events for a message that is not a record.
    func event(of message: UnsafeMutablePointer<rd_kafka_message_t>) -> [ConsumerEvent] {
        let topic = message.pointee.rkt.map { String(cString: rd_kafka_topic_name($0)) }
        let partition = message.pointee.partition
        let code = message.pointee.err
        let explanation = rd_kafka_message_errstr(message).map { String(cString: $0) }
        switch (code, topic) {
        case (RD_KAFKA_RESP_ERR__PARTITION_EOF, let topic?):
            let topicPartition = TopicPartition(topic: topic, partition: partition)
            guard positions.isAssigned(topicPartition) else { return [] }
            positions.reachedEnd(of: topicPartition, at: message.pointee.offset)
            return [.endOfPartition(topicPartition, offset: message.pointee.offset)]
        case (RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET, let topic?):
            let topicPartition = TopicPartition(topic: topic, partition: partition)
            guard positions.isAssigned(topicPartition) else { return [] }
            // librdkafka's code is about the automatic reset, which is turned off.
            let error = KafkaError(
                code: .offsetOutOfRange,
                message: explanation,
                topic: topic,
                partition: partition
            )
            return [.offsetOutOfRange(topicPartition, offset: message.pointee.offset, error)]
        case (RD_KAFKA_RESP_ERR__BAD_COMPRESSION, let topic?), (RD_KAFKA_RESP_ERR__NOT_IMPLEMENTED, let topic?),
            (RD_KAFKA_RESP_ERR__BAD_MSG, let topic?):
            let topicPartition = TopicPartition(topic: topic, partition: partition)
            guard positions.isAssigned(topicPartition), message.pointee.offset >= 0 else { return [] }
            let error = handle.context.error(code, message: explanation, topic: topic, partition: partition)
            return [.unreadable(topicPartition, offset: message.pointee.offset, error)]
        case (RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, _), (RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC, _),
            (RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION, _):
            let error = handle.context.error(code, message: explanation, topic: topic)
            return [.topicUnavailable(topic: topic ?? "", error)]
        case (RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED, _) where !hasGroup:
            return []
        default:
            if let fatal = handle.fatalError {
                return [.fatal(fatal)]
            }
            return [
                .error(
                    handle.context.error(
                        code,
                        message: explanation,
                        topic: topic,
                        partition: partition >= 0 ? partition : nil
                    )
                )
            ]
        }
    }
}
