package import FunnelConsumerConfiguration
import FunnelFile
package import Funnels
package import Logging
package import RDKafka
package import YAMLNodes

extension ConsumerSettings {
    /// Reads the funnels file.
    ///
    /// - Throws: `ConfigurationError`, which names the flag if the file cannot be read.
    package func readFunnels() throws(ConfigurationError) -> [Funnel] {
        try FunnelsFile.read(path: funnels, remedy: "give the funnels file with --funnels or FUNNELS_PATH")
    }

    /// Returns librdkafka's properties, with a warning for each that has no effect here.
    ///
    /// - Throws: `ConfigurationError` with the line of a property that does not exist or has an invalid value;
    ///   `KafkaConfigurationError` where the line is not known.
    package func kafkaConfiguration(_ logger: Logger) throws -> KafkaConfiguration {
        var properties = kafka.values
        // The consumer would refuse them.
        for (name, reason) in Consumer.reserved.sorted(by: { $0.key < $1.key })
        where properties.removeValue(forKey: name) != nil {
            logger.warning("kafka: \(name) is ignored: \(reason). Remove it from the configuration file")
        }
        properties["bootstrap.servers"] = bootstrapServers
        let configuration = KafkaConfiguration(properties)
        try located { try configuration.check() }
        return configuration
    }

    /// Adds the file and the line to an error about librdkafka's properties.
    package func located(_ check: () throws -> Void) throws {
        do {
            try check()
        } catch let error as KafkaConfigurationError {
            throw kafka.error(about: error.property, "\(error)") ?? error
        }
    }
}
