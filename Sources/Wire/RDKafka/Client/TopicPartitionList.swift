import CRDKafka

/// Owns a librdkafka list of partitions with offsets.
struct TopicPartitionList: ~Copyable {
    let pointer: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>

    /// - Parameter metadata: a text that the group keeps with each offset.
    init(_ elements: some Collection<(partition: TopicPartition, offset: Int64)>, metadata: String? = nil) {
        // Never nil: librdkafka's allocator ends the process if there is no memory.
        pointer = rd_kafka_topic_partition_list_new(Int32(elements.count))
        for element in elements {
            let entry = rd_kafka_topic_partition_list_add(
                pointer,
                element.partition.topic,
                element.partition.partition
            )
            entry?.pointee.offset = element.offset
            if let metadata, let entry {
                // The list frees it. It comes from librdkafka's allocator.
                let text = Array(metadata.utf8) + [0]
                let bytes = rd_kafka_mem_malloc(nil, text.count).assumingMemoryBound(to: UInt8.self)
                bytes.initialize(from: text, count: text.count)
                entry.pointee.metadata = UnsafeMutableRawPointer(bytes)
                entry.pointee.metadata_size = text.count - 1
            }
        }
    }

    init(_ partitions: some Collection<TopicPartition>) {
        self.init(partitions.map { (partition: $0, offset: Int64(RD_KAFKA_OFFSET_INVALID)) })
    }

    deinit {
        rd_kafka_topic_partition_list_destroy(pointer)
    }

    var elements: [(partition: TopicPartition, offset: Int64, error: rd_kafka_resp_err_t)] {
        Self.elements(of: pointer)
    }

    /// The texts that a group keeps with the offsets of partitions, without the empty ones.
    var metadata: [TopicPartition: String] {
        var texts: [TopicPartition: String] = [:]
        for entry in UnsafeBufferPointer(start: pointer.pointee.elems, count: Int(pointer.pointee.cnt)) {
            guard let bytes = entry.metadata, entry.metadata_size > 0 else { continue }
            let text = UnsafeRawBufferPointer(start: bytes, count: entry.metadata_size)
            let partition = TopicPartition(topic: String(cString: entry.topic), partition: entry.partition)
            texts[partition] = String(decoding: text, as: UTF8.self)
        }
        return texts
    }

    /// The elements of a list that librdkafka owns.
    static func elements(
        of list: UnsafePointer<rd_kafka_topic_partition_list_t>?
    ) -> [(partition: TopicPartition, offset: Int64, error: rd_kafka_resp_err_t)] {
        guard let list else { return [] }
        return UnsafeBufferPointer(start: list.pointee.elems, count: Int(list.pointee.cnt)).map {
            (TopicPartition(topic: String(cString: $0.topic), partition: $0.partition), $0.offset, $0.err)
        }
    }
}

extension StartOffset {
    /// librdkafka's number for the position.
    var rawOffset: Int64 {
        switch self {
        case .earliest: Int64(RD_KAFKA_OFFSET_BEGINNING)
        case .latest: Int64(RD_KAFKA_OFFSET_END)
        case .offset(let offset): offset
        }
    }
}
