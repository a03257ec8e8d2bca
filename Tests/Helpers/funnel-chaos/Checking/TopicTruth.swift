import FlowEvents
import FunnelTestSupport
import RDKafka
import Logging

/// What stands in the topic in the end, read by a client of no group: the truth that the report is held against.
///
/// It differs from what was published: a broker that is cut may have a batch whose answer was lost, and so has it twice,
/// in whichever order. The mock cluster doesn't recognize an idempotent producer's repeats.
struct TopicTruth: Sendable {
    /// Each event of the topic, each partition in order.
    var records: [FunnelOracle.Record] = []
    /// `PARTITION@OFFSET` of each record that is no event.
    var invalidPlaces: Set<String> = []
    /// Where each partition ends.
    var ends: [Int32: Int64] = [:]
    /// Records that nobody published.
    var foreign = 0
    /// Published events that are not there.
    var missing = 0

    /// Reads the whole topic; it blocks.
    init(of broker: EmbeddedBroker, topic: String, partitions: Int, book: SentBook, logger: Logger) throws {
        let (events, invalid) = (book.events, book.invalidValues)
        var unseen = Set(events.keys)
        try TopicReader(broker: broker, topic: topic, partitions: partitions, logger: logger).read { record in
            let value = record.value.map { Array($0) } ?? []
            if let event = events[value] {
                records.append(FunnelOracle.Record(event, partition: record.partition))
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
