import ArgumentParser
import FunnelCommandStores
import FunnelCommandSupport
import FunnelCommandTopics
import FlowEvents
import FunnelConsumerConfiguration
import FunnelConsumer
import Funnels
import Logging
import RDKafka

/// `funnel-consumer rebuild`: counts new or changed funnels from the records that the topic still has.
struct RebuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract:
            "Counts new or changed funnels from the records that the topic still has, and puts them in the store.",
        discussion: """
            Each named funnel gets its definition from the funnels file and is counted again. A named funnel that is not \
            in the file is removed. All other funnels stay unchanged. The topic is counted into a temporary store \
            while consumers keep running; then the store changes in one transaction. A running consumer continues if its funnels file has the \
            new funnels. Otherwise it exits with code 65; start it again with the new file. An interrupted rebuild leaves \
            the store unchanged. Use the allowed_lateness that the store was counted with.
            """
    )

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var scratch: ScratchOptions

    @Argument(
        help: ArgumentHelp(
            "The funnels to rebuild. Default: all that differ from the funnels file.",
            valueName: "funnel"
        )
    )
    var names: [String] = []

    func run() throws {
        FreedMemory.shareAmongThreads()
        try FailureReport.funnelConsumer.reporting {
            let settings = try connection.settings()
            let logger = Logger.command("funnel-consumer")
            let store = try settings.store.openRebuilder()
            let rebuilder = FunnelRebuilder(
                kafka: try settings.kafkaConfiguration(logger),
                topic: settings.topic,
                funnels: try settings.readFunnels(),
                allowedLateness: settings.allowedLateness,
                scratch: settings.store.scratchLocation(in: scratch.scratchDirectory),
                logger: logger
            )
            let plan = try rebuilder.plan(names, in: store)
            guard !plan.isEmpty else {
                return try StandardOutput.write("nothing to rebuild: the store has what the funnels file says\n")
            }
            if !plan.changes.isEmpty { StandardError.write(TerminalText.visible("\(plan.changes)") + "\n") }
            StandardError.write("reading \(settings.topic) again\n")
            var progress = ProgressDisplay.standardError
            let result = try rebuilder.rebuild(plan, in: store) { share in
                if let text = progress.text(for: share) { StandardError.write(text) }
                if share == 1 { StandardError.write(progress.ending + "writing to the store\n") }
            }
            try StandardOutput.write(result.text(of: plan))
        }
    }
}

extension RebuildResult {
    /// The result as text for people.
    fileprivate func text(of plan: FunnelRebuildPlan) -> String {
        let seconds = (lockDuration / .milliseconds(100)).rounded() / 10
        var lines = ["read \(recordCount) records, wrote \(installCount) installs; consumers waited \(seconds) s"]
        let range = completeFrom.map { "complete from \($0) on: the topic has lost earlier events" } ?? "complete"
        lines += plan.counted.map { "rebuilt \(TerminalText.visible($0.name)), \(range)" }
        lines += plan.removed.map { "removed \(TerminalText.visible($0.name))" }
        return lines.joined(separator: "\n") + "\n"
    }
}
