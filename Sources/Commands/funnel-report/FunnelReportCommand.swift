import ArgumentParser
import FunnelCommandStores
import FunnelCommandSupport
import FunnelConsumerConfiguration
import Foundation
import FunnelReports
import FunnelStore
import Funnels
import YAMLNodes

/// `funnel-report`: prints the funnels that a store has counted.
@main struct FunnelReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-report",
        abstract: "Prints how many installs or sessions reached each step of the funnels.",
        discussion: """
            Without a name, it prints all funnels in the order of the funnels file. --from and --to select attempts by \
            the UTC day of their first step. The store is --store, else STORE_URL, else `store` in \
            config/consumer.yaml, else sqlite:funnels.sqlite.
            """
    )

    @Argument(help: ArgumentHelp("The funnels to print.", valueName: "funnel"))
    var funnels: [String] = []

    @Option(
        help: ArgumentHelp("The store: sqlite:PATH or postgres://….", valueName: "url"),
        transform: { try StoreURL($0) }
    )
    var store: StoreURL?

    @Option(
        help: ArgumentHelp("The first day, included.", valueName: "YYYY-MM-DD"),
        transform: FunnelReportCommand.day
    )
    var from: Day?

    @Option(
        help: ArgumentHelp("The last day, included.", valueName: "YYYY-MM-DD"),
        transform: FunnelReportCommand.day
    )
    var to: Day?

    @Option(help: "The format of the report.")
    var format: ReportFormat = .table

    @Flag(
        help: ArgumentHelp(
            "Only checks that the store can be read, and prints nothing.",
            discussion: "It takes the same time for a store of any size: use it for health checks."
        )
    )
    var probe = false

    func validate() throws {
        if probe, !funnels.isEmpty || from != nil || to != nil {
            throw ValidationError("--probe makes no report: leave out the funnels, --from and --to.")
        }
        if let from, let to, from > to {
            throw ValidationError("--from \(from) is after --to \(to): give the earlier day first.")
        }
    }

    func run() throws {
        try Self.failureReport.reporting {
            let environment = ProcessInfo.processInfo.environment
            let reader = try storeURL(environment: environment).openReader()
            if probe {
                _ = try reader.withSnapshot { try $0.quality() }
                return
            }
            let names = try FunnelSelection.select(funnels, from: reader.funnels.map(\.name))
            let report = try reader.withSnapshot { source in
                try FunnelReport.make(from: source, funnels: reader.funnels, names: names, from: from, to: to)
            }
            let terminal = Terminal.standardOutput(environment: environment)
            let style = TableStyle(width: terminal.width, hasColor: terminal.hasColor)
            try StandardOutput.write(format.render(report, style: style))
        }
    }

    // The configuration file is read only if neither the flag nor the variable names a store, so that a mistake in it
    // does not prevent a report.
    private func storeURL(environment: [String: String]) throws -> StoreURL {
        if let store { return store }
        if let store = try ConsumerLayer(environment: environment).store { return store }
        return try ConsumerFile.read(path: nil).store ?? .standard
    }

    private static let day: @Sendable (String) throws -> Day = { text in
        guard let day = Day(text) else {
            throw ValidationError("expected a day as YYYY-MM-DD, such as 2026-11-20, but found '\(text)'")
        }
        return day
    }

    private static let failureReport = FailureReport(command: "funnel-report") { error in
        switch error {
        case is UnknownFunnelError: .usage
        case is ConfigurationError: .configuration
        case let error as StoreError: Sysexits(error)
        default: nil
        }
    } hint: { error in
        (error as? StoreError)?.hint
    }
}

extension ReportFormat: ExpressibleByArgument {}
