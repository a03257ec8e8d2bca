import FunnelStore
import Funnels
import Logging
import RDKafka

/// Reads the last records that a store has counted again, and finds one that is not there any more.
///
/// It proves that a topic is the one that the store has counted. The topic's id would prove the same, but librdkafka
/// does not return it before version 2.3.
struct LastRecordCheck {
    private let kafka: KafkaConfiguration
    private let logger: Logger

    init(kafka: KafkaConfiguration, logger: Logger) {
        // One record of each partition is enough.
        var kafka = kafka
        for (property, value) in ["fetch.message.max.bytes": "65536", "queued.min.messages": "1"] {
            kafka[property] = value
        }
        self.kafka = kafka
        self.logger = logger
    }

    /// What a comparison with the topic has found.
    struct Findings {
        /// A partition that has another record at the offset of its mark, and the mark.
        var replaced: (partition: TopicPartition, mark: RecordMark)?
        /// The partitions that were not compared, because their leaders did not answer in time.
        var unanswered: Set<TopicPartition> = []
    }

    /// Checks that the topic has all partitions that a store has read.
    ///
    /// - Parameters:
    ///   - progress: the store's progress.
    ///   - topic: the topic.
    ///   - count: the topic's number of partitions; `nil` if the topic does not exist.
    /// - Throws: `StoreError.otherData`.
    static func checkPartitions(of progress: [PartitionProgress], topic: String, count: Int?) throws {
        guard let last = progress.map(\.partition).max(), last >= count ?? 0 else { return }
        throw StoreError.missingPartition(last, topic: topic, count: count)
    }

    /// Checks that the topic still has the records that a store has counted last.
    ///
    /// - Parameters:
    ///   - progress: the store's progress in the partitions to check.
    ///   - topic: the topic.
    /// - Throws: `StoreError.otherData`.
    func check(_ progress: [PartitionProgress], topic: String) throws {
        let marks = progress.compactMap { stored in
            stored.lastRecord.map { (TopicPartition(topic: topic, partition: stored.partition), $0) }
        }
        guard !marks.isEmpty else { return }
        let findings = try compare(Dictionary(uniqueKeysWithValues: marks), within: .seconds(5))
        guard let (partition, mark) = findings.replaced else { return }
        throw StoreError.replacedRecord(mark, partition: partition.partition, topic: topic)
    }

    /// Compares marks with the records that the topic has at their offsets, up to the first difference.
    ///
    /// A record that the topic does not have any more proves nothing: it may have been deleted by its age. The same holds
    /// for a partition whose leader does not answer.
    ///
    /// - Parameters:
    ///   - marks: a record of each partition.
    ///   - timeout: how long the brokers may take.
    func compare(_ marks: [TopicPartition: RecordMark], within timeout: Duration) throws -> Findings {
        let consumer = try Consumer(configuration: kafka, groupID: nil, logger: logger)
        defer { consumer.close() }
        try consumer.assign(marks.map { PartitionStart($0.key, at: .offset($0.value.offset)) })
        var open = marks
        let deadline = ContinuousClock.now + timeout
        while !open.isEmpty, ContinuousClock.now < deadline {
            let poll = consumer.poll(maxRecords: 1000, timeout: .milliseconds(100))
            var findings = Findings()
            poll.records.forEach { record in
                let partition = TopicPartition(topic: record.topic, partition: record.partition)
                guard let mark = open.removeValue(forKey: partition), mark.offset == record.offset else { return }
                if mark != RecordMark(record) { findings.replaced = (partition, mark) }
            }
            if findings.replaced != nil { return findings }
            for event in poll.events {
                switch event {
                case .endOfPartition(let partition, _), .offsetOutOfRange(let partition, _, _),
                    .unreadable(let partition, _, _):
                    open[partition] = nil
                case .fatal: return Findings(unanswered: Set(open.keys))
                default: break
                }
            }
        }
        if !open.isEmpty {
            logger.debug(
                "the last records of these partitions could not be read again",
                metadata: ["partitions": "\(open.keys.map(\.partition).sorted())"]
            )
        }
        return Findings(unanswered: Set(open.keys))
    }
}

extension RecordMark {
    /// The part of a key or value that the checksum covers. Larger ones would cost too much with each poll.
    private static let coveredByteCount = 64 * 1024

    /// Creates the mark of a record.
    init(_ record: borrowing ConsumerRecord) {
        var checksum = Checksum()
        for bytes in [record.key, record.value] {
            checksum.add(bytes?.count ?? -1)
            if let bytes { checksum.add(bytes.prefix(Self.coveredByteCount)) }
        }
        self.init(
            offset: record.offset,
            timestamp: record.timestamp.milliseconds ?? -1,
            checksum: checksum.value
        )
    }
}

/// FNV-1a with 64 bits: the same on every machine and in every version, because stores keep it.
private struct Checksum {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    var value: Int64 { Int64(bitPattern: state) }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    mutating func add(_ count: Int) {
        add((0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) })
    }
}
