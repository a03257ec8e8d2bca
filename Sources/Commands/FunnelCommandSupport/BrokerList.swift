import ArgumentParser

/// The value of the flag `--bootstrap-servers`.
package enum BrokerList {
    /// Returns the text if it names a broker.
    ///
    /// - Throws: `ValidationError`. librdkafka takes an empty list, and then waits for a broker that never comes.
    package static func parse(_ text: String) throws -> String {
        guard text.contains(where: { $0 != "," && !$0.isWhitespace }) else {
            throw ValidationError("expected one or more brokers as HOST:PORT, separated by commas")
        }
        return text
    }
}
