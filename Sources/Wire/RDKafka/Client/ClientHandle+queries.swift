import CRDKafka

extension ClientHandle {
    /// The cluster's id. Asks the brokers until one has answered.
    func clusterID(within timeout: Duration) throws(KafkaError) -> String {
        let end = ContinuousClock.now + timeout
        repeat {
            let wait = max(.zero, min(end - .now, .milliseconds(50)))
            connect(within: wait)
            if let id = rd_kafka_clusterid(pointer, wait.milliseconds) {
                defer { rd_kafka_mem_free(pointer, id) }
                return String(cString: id)
            }
        } while .now < end
        throw context.error(RD_KAFKA_RESP_ERR__TIMED_OUT, message: "No broker answered with the cluster's id")
    }

    /// Sends a request to any broker. A request opens connections; waiting for the cluster's id does not, and a new
    /// consumer would open its first connection after a second. A connection attempt continues after the timeout.
    private func connect(within timeout: Duration) {
        var metadata: UnsafePointer<rd_kafka_metadata>?
        _ = rd_kafka_metadata(pointer, 0, nil, &metadata, timeout.milliseconds)
        if let metadata { rd_kafka_metadata_destroy(metadata) }
    }

    /// The watermarks of a partition, requested from its leader.
    ///
    /// Uses `rd_kafka_offsets_for_times` and not `rd_kafka_query_watermark_offsets`: the latter, once it knows the
    /// leader, waits for its answer as long as a request may take, whatever the timeout is, and the thread with it.
    func watermarks(of partition: TopicPartition, within timeout: Duration) throws(KafkaError) -> Watermarks {
        let deadline = ContinuousClock.now + timeout
        let low = try offset(of: partition, at: .earliest, until: deadline)
        return Watermarks(low: low, high: try offset(of: partition, at: .latest, until: deadline))
    }

    /// The first or the end offset of a partition. The protocol has a timestamp of its own for each, which is the
    /// number that librdkafka has for the position.
    private func offset(
        of partition: TopicPartition,
        at position: StartOffset,
        until deadline: ContinuousClock.Instant
    ) throws(KafkaError) -> Int64 {
        while true {
            let list = TopicPartitionList([(partition: partition, offset: position.rawOffset)])
            let left = max(.zero, deadline - .now)
            let answer = rd_kafka_offsets_for_times(pointer, list.pointer, left.milliseconds)
            let element = list.elements[0]
            let code = answer == RD_KAFKA_RESP_ERR_NO_ERROR ? element.error : answer
            guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return element.offset }
            guard .now < deadline, mayPass(code, of: partition, within: deadline - .now) else {
                let explanation = KafkaError.Code(code).explanation
                throw context.error(
                    code,
                    message: "Cannot request the partition's first and last offset: \(explanation)",
                    topic: partition.topic,
                    partition: partition.partition
                )
            }
            // The connection was lost, or there is none yet.
            connect(within: max(.zero, min(deadline - .now, .milliseconds(100))))
        }
    }

    /// Whether a request about a partition may succeed after it has failed.
    private func mayPass(_ code: rd_kafka_resp_err_t, of partition: TopicPartition, within timeout: Duration) -> Bool {
        switch KafkaError.Code(code) {
        case .transport, .brokerRemoved: return true
        case KafkaError.Code(RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION):
            // librdkafka 2.16 also says so of a partition whose leader was away.
            do throws(KafkaError) {
                let count = try partitionCount(of: partition.topic, within: timeout)
                return Int(partition.partition) < count ?? 0
            } catch {
                return error.isRetriable
            }
        default: return false
        }
    }

    /// The high watermark of the last fetch, or `nil` if nothing was fetched yet.
    func cachedHighWatermark(of partition: TopicPartition) -> Int64? {
        var low: Int64 = 0
        var high: Int64 = 0
        let code = rd_kafka_get_watermark_offsets(pointer, partition.topic, partition.partition, &low, &high)
        return code == RD_KAFKA_RESP_ERR_NO_ERROR && high >= 0 ? high : nil
    }
}
