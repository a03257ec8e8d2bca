import EventTracking

/// The body of a CloudEvents batch: a JSON array of events,
/// [JSON batch format](https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md#4-json-batch-format).
enum BatchBody {
    /// Returns the JSON array of the events, with the bytes of each event unchanged.
    static func bytes(of events: [EncodedEvent]) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(events.reduce(2) { $0 + $1.value.count + 1 })
        body.append(UInt8(ascii: "["))
        for (index, event) in events.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body += event.value
        }
        body.append(UInt8(ascii: "]"))
        return body
    }
}
