import ArgumentParser
import FunnelCommandStores
import FunnelCommandSupport
import FunnelCommandTopics
import FunnelConsumerConfiguration
import FlowEvents
import FunnelConsumer
import Logging
import RDKafka

/// `funnel-consumer verify`: compares the store with the topic.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Counts the topic again, into a temporary store, and compares it with the store.",
        discussion: """
            It joins no consumer group and writes nothing to the store, so it can run while consumers run. It compares the results by \
            install and day, and the reports, of all days whose events the topic still has. The exit code is 1 if \
            anything differs. Use the allowed_lateness that the store was counted with.
            """
    )

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var scratch: ScratchOptions

    @Option(
        help: ArgumentHelp(
            "Leave out records from before this time, such as 2026-11-20T00:00:00Z.",
            valueName: "time"
        ),
        transform: { text in
            guard let time = Timestamp(text) else {
                throw ValidationError("expected a time such as 2026-11-20T00:00:00Z, found '\(text)'")
            }
            return time
        }
    )
    var fromTime: Timestamp?

    @Option(help: ArgumentHelp("The number of differences to show.", valueName: "count"))
    var limit = 10

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit: expected 1 or more") }
    }

    func run() throws {
        FreedMemory.shareAmongThreads()
        try FailureReport.funnelConsumer.reporting {
            let settings = try connection.settings()
            let logger = Logger.command("funnel-consumer")
            let verifier = FunnelVerifier(
                kafka: try settings.kafkaConfiguration(logger),
                topic: settings.topic,
                allowedLateness: settings.allowedLateness,
                from: fromTime,
                limit: limit,
                scratch: settings.store.scratchLocation(in: scratch.scratchDirectory),
                logger: logger
            )
            let verification = try verifier.verify(settings.store.openReader())
            try StandardOutput.write(verification.text)
            if !verification.isEqual { throw ExitCode(1) }
        }
    }
}
