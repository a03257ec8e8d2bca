import RDKafka
import Logging

extension FunnelConsumerOptions {
    /// Finds what is wrong with ``kafka``, without asking a broker and before anything is opened or made.
    ///
    /// - Throws: `KafkaConfigurationError` for a property that does not exist, has a wrong value, or does not go with
    ///   another.
    public func check() throws {
        // Only a client knows which properties do not go together. It has no address, so it connects to nobody; that it
        // says so is no news.
        var offline = kafka
        for property in ["bootstrap.servers", "metadata.broker.list"] { offline[property] = nil }
        let silent = Logger(label: "check") { _ in SwiftLogNoOpLogHandler() }
        try Consumer(configuration: offline, groupID: groupID, logger: silent).close()
        try DeadLetterSender(configuration: offline, topic: deadLetterTopic, logger: silent).close()
    }
}
