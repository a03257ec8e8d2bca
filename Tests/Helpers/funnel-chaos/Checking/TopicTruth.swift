import FlowEvents
import FunnelTestSupport
import RDKafka
import Logging

/// The records in the topic at the end, read without a group. The report is compared with these.
///
/// They differ from the published records: if a broker's connections are cut, the broker may have a batch although its
/// answer was lost. The producer sends that batch again, and the mock cluster does not recognize the repeat.
struct TopicTruth: Sendable {
    /// The events in the topic, in order within each partition.
    var records: [FunnelOracle.Record] = []
    /// `PARTITION@OFFSET` of each record that is not an event.
    var invalidPlaces: Set<String> = []
    /// The end offset of each partition.
    var ends: [Int32: Int64] = [:]
    /// The number of records that were not published.
    var foreign = 0
    /// The number of published events that are not in the topic.
    var missing = 0

    /// Reads the whole topic. Blocks the thread.
    init(of bootstrapServers: String, topic: String, partitions: Int, book: SentBook, logger: Logger) throws {
        let (events, invalid) = (book.events, book.invalidValues)
        var unseen = Set(events.keys)
        let reader = TopicReader(
            bootstrapServers: bootstrapServers,
            topic: topic,
            partitions: partitions,
            logger: logger
        )
        try reader.read { record in
            let value = record.value.map { Array($0) } ?? []
            if let event = events[value] {
                records.append(
                    FunnelOracle.Record(
                        event,
                        partition: record.partition,
                        timestamp: record.timestamp.milliseconds.map(Timestamp.init)
                    )
                )
                unseen.remove(value)
            } else {
                if !invalid.contains(value) { foreign += 1 }
                invalidPlaces.insert("\(record.partition)@\(record.offset)")
            }
            ends[record.partition] = record.offset + 1
        }
        missing = unseen.count
    }
}
