import ArgumentParser

/// `funnel-report`: the report, and its subcommands.
@main enum FunnelReportMain {
    /// Runs the subcommand that is named first, or else the report.
    ///
    /// A command of ArgumentParser that takes names of funnels takes those of subcommands, too, so they are looked for
    /// here. `funnel-report -- check` reports a funnel with the name of a subcommand.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let subcommands = FunnelReportSubcommands.configuration.subcommands.compactMap { $0.configuration.commandName }
        switch (arguments.first, arguments.dropFirst().first) {
        case (let first?, _) where subcommands.contains(first): await FunnelReportSubcommands.main(arguments)
        case ("help"?, let second?) where subcommands.contains(second): await FunnelReportSubcommands.main(arguments)
        case ("help"?, _): await FunnelReportCommand.main(["--help"])
        default: await FunnelReportCommand.main(arguments)
        }
    }
}

/// The subcommands with their names in full, for messages such as "See 'funnel-report check --help'".
struct FunnelReportSubcommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-report",
        subcommands: [CheckCommand.self, ServeCommand.self, PreviewCommand.self, ActorsCommand.self]
    )
}
