import ArgumentParser
import FunnelCommandSupport
import RDKafka
import Logging

/// `embedded-broker`: a Kafka broker in memory, for experiments and tests.
@main struct EmbeddedBrokerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "embedded-broker",
        abstract: "Runs a Kafka broker in memory until standard input ends.",
        discussion: """
            The broker speaks the Kafka protocol over TCP. The first line of the output is its HOST:PORT. It keeps the \
            newest 5 MiB of each partition in memory, and loses all data when it ends. Use it for experiments and tests.
            """
    )

    @Option(name: .customLong("topic"), help: ArgumentHelp("A topic to create.", valueName: "name:partitions"))
    var topics: [String] = []

    func run() throws {
        try FailureReport(command: "embedded-broker", status: { $0 is KafkaError ? .unavailable : nil }).reporting {
            var logger = Logger(label: "embedded-broker") { StreamLogHandler.standardError(label: $0) }
            logger.logLevel = .error
            let broker = try EmbeddedBroker(logger: logger)
            for topic in topics {
                let parts = topic.split(separator: ":")
                guard parts.count == 2, let partitions = Int(parts[1]), partitions > 0 else {
                    throw ValidationError("expected NAME:PARTITIONS, such as app-events:6, found '\(topic)'")
                }
                try broker.createTopic(String(parts[0]), partitions: partitions)
            }
            try StandardOutput.write(broker.bootstrapServers + "\n")
            while readLine() != nil {}
        }
    }
}
