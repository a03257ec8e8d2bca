import RDKafka

extension DeliveryGuarantees {
    /// Refuses a producer that could lose, repeat or misplace events.
    func requireContract() throws(KafkaConfigurationError) {
        try require("enable.idempotence", isIdempotent, "a retry could repeat events or change their order")
        try require("acks", acks == -1, "an event could be lost after it counts as delivered")
        try require(
            "partitioner",
            partitioner == "murmur2_random",
            "an install's events could go to another partition than those that other clients publish"
        )
    }

    private func require(_ property: String, _ isMet: Bool, _ danger: String) throws(KafkaConfigurationError) {
        guard !isMet else { return }
        let reason = "a sink of events needs the value that Producer sets by itself, or \(danger)"
        throw KafkaConfigurationError(property: property, reason: .reserved("\(reason); leave it out"))
    }
}
