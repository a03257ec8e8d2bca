import CRDKafka

/// Decides when librdkafka should look at its queue of fetched records again.
///
/// When the queue is full, librdkafka stops fetching, and looks at the queue again up to a second later. A fast consumer
/// has emptied it long before. Since version 2.2 the property `fetch.queue.backoff.ms` shortens that second. In an older
/// version the threads of the connections must be woken. This happens each time when a quarter of the queue has been read.
struct FetchAhead {
    /// The greatest length of the queue since the last wake.
    private var peak = 0
    // A live consumer's queue is short, and never full.
    private static let leastPeak = 1000

    /// Whether it is time to wake the connections' threads.
    ///
    /// - Parameter length: the number of records in the queue.
    mutating func needsWake(length: Int) -> Bool {
        guard length < peak / 4 * 3, peak >= Self.leastPeak else {
            peak = max(peak, length)
            return false
        }
        peak = length
        return true
    }

    /// Whether this librdkafka has the property `fetch.queue.backoff.ms`.
    static let hasProperty = rd_kafka_version() >= 0x0202_0000

    /// The time after which a full queue is looked at again, where librdkafka has a property for it.
    static let defaults: KafkaConfiguration = hasProperty ? ["fetch.queue.backoff.ms": "20"] : [:]
}

extension ClientHandle {
    /// Wakes the connections' threads, which then fetch again if the queue has room.
    ///
    /// librdkafka has no function for it alone. This one sets the credentials to what they are, and wakes them.
    ///
    /// - Parameter configuration: the client's own.
    func wakeConnections(_ configuration: KafkaConfiguration) {
        let (user, password) = (configuration["sasl.username"] ?? "", configuration["sasl.password"] ?? "")
        // It fails for null pointers only.
        if let error = rd_kafka_sasl_set_credentials(pointer, user, password) { rd_kafka_error_destroy(error) }
    }
}
