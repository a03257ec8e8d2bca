import CRDKafka

extension KafkaConfiguration {
    /// Refuses the strategy `cooperative-sticky` with an older librdkafka, which can crash or hang with it.
    ///
    /// A version before 2.3 aborts the process when a consumer ends before it has partitions
    /// ([librdkafka#4381](https://github.com/confluentinc/librdkafka/pull/4381)). With a version before 2.6, the consumer that
    /// assigns the partitions can hang ([librdkafka#4800](https://github.com/confluentinc/librdkafka/pull/4800)).
    ///
    /// - Parameter version: the version of librdkafka, as `rd_kafka_version()` gives it.
    /// - Throws: ``KafkaConfigurationError`` with the version that is needed and the one that is there.
    func refuseUnsafeStrategy(version: Int32 = rd_kafka_version()) throws(KafkaConfigurationError) {
        let property = "partition.assignment.strategy"
        guard let strategies = self[property], strategies.contains("cooperative-sticky"), version < 0x0206_0000 else {
            return
        }
        let found = "\(version >> 24).\(version >> 16 & 0xFF).\(version >> 8 & 0xFF)"
        throw KafkaConfigurationError(
            code: .unusable,
            property: property,
            explanation: """
                cooperative-sticky needs librdkafka 2.6 or newer, and this is \(found), which can crash or hang with it. \
                Leave it out, or install a newer librdkafka
                """
        )
    }
}
