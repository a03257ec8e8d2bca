import ArgumentParser
import FlowEvents
import Foundation
import FunnelCommandSupport
import FunnelReports
import FunnelServiceSupport
import FunnelStore
import Funnels

/// The options of a report: its days, its parts and its format.
struct ReportShape: ParsableArguments {
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

    func validate() throws {
        if breakdownColumn, format != .csv {
            throw ValidationError("--breakdown-column is for --format csv.")
        }
        if compare, case .between(let from, let to) = dayOptions.days, from == nil || to == nil {
            throw ValidationError("--compare needs a first and a last day: give --from and --to, or --last.")
        }
    }

    /// Whether anything but the format is asked for.
    var isPlain: Bool { dayOptions.isEmpty && !settled && by == nil && !compare && !times }

    /// The request for a report of some funnels.
    func request(_ funnels: [String]?) -> ReportRequest {
        ReportRequest(
            funnels: funnels,
            days: dayOptions.days,
            isSettledOnly: settled,
            trend: by,
            isCompared: compare,
            hasTimes: times
        )
    }

    /// Prints the report of the named funnels; of all where there are none.
    func print(_ names: [String], from reader: any FunnelReading) throws {
        let request = request(try FunnelSelection.select(names, from: reader.funnels.map(\.name)))
        let report = try reader.withSnapshot { snapshot in
            var report = try format.report(from: snapshot, funnels: reader.funnels, request)
            report.unreadPartitions = try snapshot.unreadPartitions(now: .current)
            return report
        }
        // CSV has no place for it.
        if format == .csv { StandardError.warn(of: report.unreadPartitions) }
        try StandardOutput.write(format.render(report, style: .standardOutput, hasAllColumn: breakdownColumn))
    }
}

extension TableStyle {
    /// The style for standard output.
    static var standardOutput: TableStyle {
        let terminal = Terminal.standardOutput(environment: ProcessInfo.processInfo.environment)
        return TableStyle(width: terminal.width, hasColor: terminal.hasColor)
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
