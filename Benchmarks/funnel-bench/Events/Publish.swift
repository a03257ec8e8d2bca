import ArgumentParser
import FlowEvents
import RDKafka
import Logging

/// Publishes the events to a topic, like the sink of an app.
struct Publish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Publishes the events to a topic.")

    @OptionGroup var options: EventOptions

    @Option(help: ArgumentHelp("The brokers.", valueName: "host:port,…"))
    var bootstrapServers: String

    @Option(help: ArgumentHelp("The topic.", valueName: "name"))
    var topic = "app-events"

    func run() async throws {
        var logger = Logger(label: "funnel-bench") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let producer = try Producer(
            configuration: KafkaConfiguration(bootstrapServers: bootstrapServers),
            logger: logger
        )
        var batch = ProducerBatch()
        func send() async throws {
            for result in await producer.send(batch, to: topic) { _ = try result.get() }
            batch = ProducerBatch()
        }
        for event in options.all {
            batch.append(key: event.installID, value: try event.encoded())
            if batch.count == 20_000 { try await send() }
        }
        try await send()
        _ = await producer.close(within: .seconds(10))
    }
}
