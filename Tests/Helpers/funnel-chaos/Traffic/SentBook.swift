import FlowEvents
import Synchronization

/// What was published, by the bytes of its value: so that what stands in the topic can be told without decoding it.
final class SentBook: Sendable {
    private struct Contents {
        var events: [[UInt8]: Event] = [:]
        var invalid: Set<[UInt8]> = []
        var records = 0
        var redeliveries = 0
    }

    private let contents = Mutex(Contents())

    /// Notes records before they are published.
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

    /// Notes records that had to be published again, because Kafka did not say that it has them.
    func noteRedelivery(of count: Int) {
        contents.withLock { $0.redeliveries += count }
    }

    /// How many records were to be published.
    var recordCount: Int { contents.withLock { $0.records } }
    /// How many of them were published again by the producers' owner.
    var redeliveryCount: Int { contents.withLock { $0.redeliveries } }
    /// Every event's value, and the event.
    var events: [[UInt8]: Event] { contents.withLock { $0.events } }
    /// The values that are no events.
    var invalidValues: Set<[UInt8]> { contents.withLock { $0.invalid } }
}
