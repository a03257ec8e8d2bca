import FlowEvents
import RDKafka

/// One record that a producer publishes.
struct ChaosRecord: Sendable {
    /// The event; `nil` for a record that is not an event and becomes a dead letter.
    var event: Event?
    var value: [UInt8]
    var partition: Int32

    var message: ProducerMessage {
        ProducerMessage(
            key: Array((event?.installID ?? "nobody").utf8),
            value: value,
            // With the default, the event would be in the future on a machine whose clock is earlier.
            timestamp: event?.time.milliseconds,
            partition: partition
        )
    }
}
