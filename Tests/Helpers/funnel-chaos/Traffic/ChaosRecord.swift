import FlowEvents
import RDKafka

/// One record that a producer publishes.
struct ChaosRecord: Sendable {
    /// What it is; `nil` where it is no event and belongs to the dead letters.
    var event: Event?
    var value: [UInt8]
    var partition: Int32

    var message: ProducerMessage {
        ProducerMessage(
            key: Array((event?.installID ?? "nobody").utf8),
            value: value,
            // A machine whose clock stands before the event would find it in the future.
            timestamp: event?.time.milliseconds,
            partition: partition
        )
    }
}
