import FlowEvents
import Synchronization

/// The published records by the bytes of their values, to identify the records of the topic without decoding.
final class SentBook: Sendable {
    private struct Contents {
        var events: [[UInt8]: Event] = [:]
        var invalid: Set<[UInt8]> = []
        var records = 0
        var redeliveries = 0
    }

    private let contents = Mutex(Contents())

    /// Adds records before they are published.
    func note(_ records: [ChaosRecord]) {
        contents.withLock { contents in
            contents.records += records.count
            for record in records {
                if let event = record.event {
                    contents.events[record.value] = event
                } else {
                    contents.invalid.insert(record.value)
                }
            }
        }
    }

    /// Counts records that were published again, because Kafka had not acknowledged them.
    func noteRedelivery(of count: Int) {
        contents.withLock { $0.redeliveries += count }
    }

    /// The number of published records, without repeats.
    var recordCount: Int { contents.withLock { $0.records } }
    /// The number of records that ``Publisher`` published again.
    var redeliveryCount: Int { contents.withLock { $0.redeliveries } }
    /// The events by their values.
    var events: [[UInt8]: Event] { contents.withLock { $0.events } }
    /// The values that are not events.
    var invalidValues: Set<[UInt8]> { contents.withLock { $0.invalid } }
}
