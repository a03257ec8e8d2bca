import ArgumentParser

/// `funnel-report`: the report, and its subcommands.
@main enum FunnelReportMain {
    /// Runs the subcommand that is named first, or else the report.
    ///
    /// A command of ArgumentParser that takes names of funnels takes those of subcommands, too, so they are looked for
    /// here. `funnel-report -- check` reports a funnel with the name of a subcommand.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case CheckCommand.configuration.commandName: CheckCommand.main(Array(arguments.dropFirst()))
        case ServeCommand.configuration.commandName: await ServeCommand.main(Array(arguments.dropFirst()))
        default: await FunnelReportCommand.main(arguments)
        }
    }
}
