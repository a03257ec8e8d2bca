import ArgumentParser
import FunnelCommandStores
import FunnelCommandSupport
import FunnelConsumerConfiguration
import FunnelConsumer
import FunnelFile
import FunnelReports
import Funnels
import Logging

/// `funnel-consumer rebuild`: counts funnels anew from what the topic still has.
struct RebuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Counts new or changed funnels from what the topic still has, and switches the store over to them.",
        discussion: """
            Each named funnel becomes what the funnels file says of it: it is counted by its definition there, or \
            removed where it is not there. The other funnels stay as they are. The topic is read into memory beside \
            the running consumers; then the store is switched over in one transaction. Consumers whose funnels file \
            says the same by then go on; others stop with exit code 65 until they are started with it. An interrupted \
            rebuild leaves the store as it was. Give it the allowed_lateness that the store was counted with.
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Argument(
        help: ArgumentHelp(
            "The funnels to rebuild; without one, all that differ from the funnels file.",
            valueName: "funnel"
        )
    )
    var names: [String] = []

    func run() throws {
        try FailureReport.funnelConsumer.reporting {
            let settings = try connection.settings()
            let logger = Logger.command()
            let store = try settings.store.openRebuilder()
            let rebuilder = FunnelRebuilder(
                kafka: settings.kafkaConfiguration(logger),
                topic: settings.topic,
                funnels: try FunnelsFile.read(path: settings.funnels),
                allowedLateness: settings.allowedLateness,
                logger: logger
            )
            let revision = try rebuilder.plan(names, in: store)
            guard !revision.isEmpty else {
                return try StandardOutput.write("nothing to rebuild: the store has what the funnels file says\n")
            }
            if !revision.changes.isEmpty { StandardError.write(TerminalText.visible("\(revision.changes)") + "\n") }
            StandardError.write("reading \(settings.topic) again\n")
            var progress = ProgressDisplay.standardError
            let rebuild = try rebuilder.rebuild(revision, in: store) { share in
                if let text = progress.text(for: share) { StandardError.write(text) }
                if share == 1 { StandardError.write(progress.ending + "switching over\n") }
            }
            try StandardOutput.write(rebuild.text(of: revision))
        }
    }
}
