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
    @OptionGroup var dayOptions: DayOptions

    @Flag(help: "Leaves out open days: those on which not all who entered have had the whole window.")
    var settled = false

    @Option(help: "Also reports each day, week or month.")
    var by: TrendInterval?

    @Flag(help: "Compares with the same number of days before. It needs --from and --to, or --last.")
    var compare = false

    @Flag(help: "Also reports how long it took to reach each step: percentiles and a histogram.")
    var times = false

    @Option(help: "The format of the report.")
    var format: ReportFormat = .table

    @Flag(
        help: ArgumentHelp(
            "Puts a column 'all' behind 'breakdown' of the CSV.",
            discussion: "It is true in the rows of all actors, and false in those of a breakdown value."
        )
    )
    var breakdownColumn = false

    @Flag(
        help: ArgumentHelp(
            "Only checks that the store can be read, and prints nothing.",
            discussion: "It takes the same time for a store of any size: use it for health checks."
        )
    )
    var probe = false

    func validate() throws {
        if probe, !funnels.isEmpty || !dayOptions.isEmpty || settled || by != nil || compare || times {
            throw ValidationError("--probe makes no report: leave out the funnels and all options of a report.")
        }
        if breakdownColumn, format != .csv {
            throw ValidationError("--breakdown-column is for --format csv.")
        }
        if compare, case .between(let from, let to) = dayOptions.days, from == nil || to == nil {
            throw ValidationError("--compare needs a first and a last day: give --from and --to, or --last.")
        }
    }

    func run() throws {
        try FailureReport.funnelReport.reporting {
            let environment = ProcessInfo.processInfo.environment
            let reader = try storeOptions.url(environment: environment).openReader()
            if probe {
                _ = try reader.withSnapshot { try $0.quality() }
                return
            }
            let request = ReportRequest(
                funnels: try FunnelSelection.select(funnels, from: reader.funnels.map(\.name)),
                days: dayOptions.days,
                isSettledOnly: settled,
                trend: by,
                isCompared: compare,
                hasTimes: times
            )
            let report = try reader.withSnapshot { snapshot in
                var report = try format.report(from: snapshot, funnels: reader.funnels, request)
                report.unreadPartitions = try snapshot.unreadPartitions(now: .current)
                return report
            }
            // CSV has no place for it.
            if format == .csv { StandardError.warn(of: report.unreadPartitions) }
            let terminal = Terminal.standardOutput(environment: environment)
            let style = TableStyle(width: terminal.width, hasColor: terminal.hasColor)
            try StandardOutput.write(format.render(report, style: style, hasAllColumn: breakdownColumn))
        }
    }
}

extension ReportFormat: ExpressibleByArgument {}

extension StandardError {
    /// Says which partitions' events a report lacks.
    static func warn(of partitions: [UnreadPartition]) {
        for sentence in UnreadPartitionsText.sentences(partitions) { write(sentence + "\n") }
    }
}

extension TrendInterval: ExpressibleByArgument {}
