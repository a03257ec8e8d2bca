import EventTracking
import RDKafka

extension ProducerBatch {
    /// The header that tells structured mode from binary mode.
    static let contentType = KafkaHeader("content-type", "application/cloudevents+json; charset=UTF-8")

    /// The records of encoded events, in their order.
    init(_ events: [EncodedEvent]) {
        self.init()
        reserveCapacity(events.count, bytes: events.reduce(0) { $0 + $1.size })
        // One array for all: records that share their headers' storage also share their memory on the way out.
        let headers = [Self.contentType]
        // By their places: a loop over the events would count the references of each.
        let events = events.span
        for index in events.indices {
            append(key: events[index].key, value: events[index].value, headers: headers)
        }
    }
}
