import EventTracking
import FlowEvents
import RDKafka

extension ProducerBatch {
    /// The header that distinguishes structured mode from binary mode.
    static let contentType = KafkaHeader("content-type", Event.contentType)

    /// Creates the records of encoded events, in order.
    init(_ events: [EncodedEvent]) {
        self.init()
        reserveCapacity(events.count, bytes: events.reduce(0) { $0 + $1.size })
        // One array for all records, because records with the same headers array share their memory in librdkafka.
        let headers = [Self.contentType]
        // By index, because a loop over the events would count the references of each.
        let events = events.span
        for index in events.indices {
            append(key: events[index].key, value: events[index].value, headers: headers)
        }
    }
}
