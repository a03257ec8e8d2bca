import Foundation
package import Testing

/// The real broker that tests may use, for what librdkafka's mock cluster does not have: rights, topics that end and begin
/// again, the broker's timestamps, deleted records and large batches.
package enum ApacheKafka {
    /// The brokers' addresses: `KAFKA_BOOTSTRAP_SERVERS` of the environment. The user needs every right.
    package static let bootstrapServers = value("KAFKA_BOOTSTRAP_SERVERS")

    /// The addresses of a listener of the same brokers with SASL/PLAIN: `KAFKA_SASL_BOOTSTRAP_SERVERS`. The brokers know a
    /// user `tester` with the password `tester-secret`, who has no right.
    package static let saslBootstrapServers = value("KAFKA_SASL_BOOTSTRAP_SERVERS")

    private static func value(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Trait where Self == ConditionTrait {
    /// For suites that need a real broker.
    package static var needsApacheKafka: Self {
        .enabled(if: ApacheKafka.bootstrapServers != nil, "KAFKA_BOOTSTRAP_SERVERS names no broker")
    }

    /// For suites that need a real broker with users and rights.
    package static var needsApacheKafkaWithRights: Self {
        .enabled(
            if: ApacheKafka.bootstrapServers != nil && ApacheKafka.saslBootstrapServers != nil,
            "KAFKA_BOOTSTRAP_SERVERS and KAFKA_SASL_BOOTSTRAP_SERVERS do not both name brokers"
        )
    }
}
