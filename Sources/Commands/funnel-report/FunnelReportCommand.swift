import ArgumentParser
import FunnelCommandStores
import FunnelCommandSupport
import Foundation
import FunnelReports
import FunnelServiceSupport
import FunnelStore
import Funnels

/// `funnel-report`: prints the funnels that a store has counted.
struct FunnelReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-report",
        abstract: "Prints how many installs or sessions reached each step of the funnels.",
        // The options of the report come without a subcommand, which a generated usage does not say.
        usage: """
            funnel-report [<funnel> ...] [<options>]
            funnel-report check <funnel> --step <name> [<options>]
            funnel-report serve [<options>]
            funnel-report preview --funnels <path> [<funnel> ...] [--events <path> ...] [<options>]
            funnel-report actors <funnel> --step <name> (--reached | --dropped) [<options>]
            """,
        discussion: """
            Without a name, it prints all funnels in the order of the funnels file. --from, --to and --last select \
            attempts by the day of their first step. The store is --store, else STORE_URL, else `store` in \
            config/consumer.yaml, else sqlite:funnels.sqlite.
            """,
        subcommands: FunnelReportSubcommands.configuration.subcommands
    )

    @Argument(help: ArgumentHelp("The funnels to print.", valueName: "funnel"))
    var funnels: [String] = []

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var shape: ReportShape

    @Flag(
        help: ArgumentHelp(
            "Only checks that the store can be read, and prints nothing.",
            discussion: "It takes the same time for a store of any size: use it for health checks."
        )
    )
    var probe = false

    func validate() throws {
        if probe, !funnels.isEmpty || !shape.isPlain {
            throw ValidationError("--probe makes no report: leave out the funnels and all options of a report.")
        }
    }

    func run() throws {
        try FailureReport.funnelReport.reporting {
            let reader = try storeOptions.openReader()
            if probe {
                _ = try reader.withSnapshot { try $0.quality() }
                return
            }
            try shape.print(funnels, from: reader)
        }
    }
}
