import FlowEvents
import Foundation
import FunnelTestSupport
import RDKafka
import Logging
import FunnelTortureSupport

/// All records of a topic, read after the last write.
struct TopicReader {
    /// The records, in order within each partition.
    private(set) var records: [Audit.Record] = []
    /// The same records for the brute force.
    private(set) var counted: [FunnelOracle.Record] = []

    /// Reads the topic; blocks the thread.
    ///
    /// - Throws: An error if the broker has deleted records, or if a record is not an event.
    init(_ topic: String, partitions: Int, bootstrapServers: String, logger: Logger) throws {
        let configuration = KafkaConfiguration(bootstrapServers: bootstrapServers)
        let consumer = try Consumer(configuration: configuration, groupID: nil, logger: logger)
        defer { consumer.close() }
        let places = (0..<Int32(partitions)).map { TopicPartition(topic: topic, partition: $0) }
        for place in places {
            let watermarks = try consumer.watermarks(of: place, within: .seconds(30))
            guard watermarks.low == 0 else {
                throw TortureFailure(
                    "\(place) has lost its oldest records: the embedded broker keeps 5 MiB per partition"
                )
            }
        }
        try consumer.assign(places.map { PartitionStart($0, at: .earliest) })
        var unread = Set(places)
        let deadline = ContinuousClock.now + .seconds(120)
        while !unread.isEmpty {
            guard ContinuousClock.now < deadline else { throw TortureFailure("cannot read \(unread) to the end") }
            let poll = consumer.poll(timeout: .milliseconds(100))
            try poll.records.forEach { record in
                let value = record.value.map { Array($0) } ?? []
                let event = try Event(json: value)
                records.append(Audit.Record(event: event, value: value))
                counted.append(
                    FunnelOracle.Record(
                        event,
                        partition: record.partition,
                        timestamp: record.timestamp.milliseconds.map(Timestamp.init)
                    )
                )
            }
            for case .endOfPartition(let place, _) in poll.events { unread.remove(place) }
        }
    }
}
