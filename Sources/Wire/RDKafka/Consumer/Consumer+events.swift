import CRDKafka

extension Consumer {
    /// What a message that is no record says.
    func event(of message: UnsafeMutablePointer<rd_kafka_message_t>) -> [ConsumerEvent] {
        let topic = message.pointee.rkt.map { String(cString: rd_kafka_topic_name($0)) }
        let partition = message.pointee.partition
        let code = message.pointee.err
        let explanation = rd_kafka_message_errstr(message).map { String(cString: $0) }
        switch (code, topic) {
        case (RD_KAFKA_RESP_ERR__PARTITION_EOF, let topic?):
            let place = TopicPartition(topic: topic, partition: partition)
            guard positions.isAssigned(place) else { return [] }
            positions.reachedEnd(of: place, at: message.pointee.offset)
            return [.endOfPartition(place, offset: message.pointee.offset)]
        case (RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET, let topic?):
            let place = TopicPartition(topic: topic, partition: partition)
            guard positions.isAssigned(place) else { return [] }
            // librdkafka's code speaks of the reset that it was told not to do.
            let error = KafkaError(
                code: .offsetOutOfRange,
                message: explanation,
                topic: topic,
                partition: partition
            )
            return [.offsetOutOfRange(place, offset: message.pointee.offset, error)]
        case (RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, _), (RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC, _),
            (RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION, _):
            let error = handle.context.error(code, message: explanation, topic: topic)
            return [.topicUnavailable(topic: topic ?? "", error)]
        default:
            let place = partition >= 0 ? partition : nil
            if let fatal = handle.fatalError {
                return [.fatal(fatal)]
            }
            return [.error(handle.context.error(code, message: explanation, topic: topic, partition: place))]
        }
    }
}
