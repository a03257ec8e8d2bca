import ArgumentParser
import FunnelCommandStores
import FunnelCommandSupport
import FunnelConsumerConfiguration
import Foundation
import FunnelReports
import FunnelStore
import Funnels
import YAMLNodes

/// `funnel-report`: prints what a store has counted.
@main struct FunnelReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-report",
        abstract: "Prints how many installs or sessions got how far through each funnel.",
        discussion: """
            Without a name, all funnels are printed, in the order of the funnels file. A day is a day in UTC on which \
            the first step was taken. The store is --store, else STORE_URL, else `store` in config/consumer.yaml, else \
            sqlite:funnels.sqlite.
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

    @Option(help: "The form of the report.")
    var format: ReportFormat = .table

    func validate() throws {
        if let from, let to, from > to {
            throw ValidationError("--from \(from) is after --to \(to): give the earlier day first.")
        }
    }

    func run() throws {
        try FailureReport(command: "funnel-report", status: Self.status).reporting {
            let environment = ProcessInfo.processInfo.environment
            let source = try ReportSource.open(storeURL(environment: environment))
            let names = try FunnelSelection.select(funnels, from: source.funnels.map(\.name))
            let report = try source.report(names, from, to)
            let terminal = Terminal.standardOutput(environment: environment)
            let style = TableStyle(width: terminal.width, hasColor: terminal.hasColor)
            try StandardOutput.write(format.render(report, style: style))
        }
    }

    // The file is read only where nothing stronger says which store: a mistake in it is not the report's to find.
    private func storeURL(environment: [String: String]) throws -> StoreURL {
        if let store { return store }
        if let store = try ConsumerLayer(environment: environment).store { return store }
        return try ConsumerFile.read(path: nil).store ?? .standard
    }

    private static let day: @Sendable (String) throws -> Day = { text in
        guard let day = Day(text) else {
            throw ValidationError("expected a day as YYYY-MM-DD, such as 2026-11-20, found '\(text)'")
        }
        return day
    }

    private static let status: @Sendable (any Error) -> Sysexits? = { error in
        switch error {
        case is UnknownFunnelError: .usage
        case is ConfigurationError: .configuration
        case let error as StoreError: Sysexits(error)
        default: nil
        }
    }
}

extension ReportFormat: ExpressibleByArgument {}
