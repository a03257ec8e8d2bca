import ArgumentParser
import FlowEvents
import Foundation
import FunnelCommandStores
import FunnelCommandSupport
import FunnelReports
import FunnelStore
import Funnels

/// `funnel-report actors`: lists who is behind a figure.
struct ActorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "actors",
        abstract: "Lists who is behind a figure: a row for each actor that a count counts.",
        discussion: """
            --reached lists those of the step's count; --dropped those of the count of the required step before it that the \
            step's count lacks. The number of rows is the report's figure. The rows are in order of the install's bytes, then \
            the actor's. started_at is empty where the store has removed the events; value is the breakdown value of the \
            attempt by which the actor counts.
            """
    )

    @Argument(help: ArgumentHelp("The funnel.", valueName: "funnel"))
    var funnel: String

    @Option(help: ArgumentHelp("The step.", valueName: "name"))
    var step: String

    @Flag(exclusivity: .exclusive)
    var kind: Kind

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            """
            Only actors of this breakdown value. Give a text for each part of the breakdown. Write a text that begins with \
            '-' as --value=-1, and an empty one as --value ''.
            """,
            valueName: "value"
        )
    )
    var value: [String] = []

    @OptionGroup var dayOptions: DayOptions
    @OptionGroup var storeOptions: StoreOptions

    @Option(help: ArgumentHelp("The greatest number of rows. Default: all.", valueName: "count"))
    var limit: Int?

    @Option(help: "The format of the rows: CSV, or one JSON object a line.")
    var format: ActorRows = .csv

    /// Which actors of the step.
    enum Kind: String, EnumerableFlag {
        case reached
        case dropped

        static func help(for kind: Kind) -> ArgumentHelp? {
            switch kind {
            case .reached: "Lists the actors of the step's count."
            case .dropped: "Lists the actors that came as far as the required step before, and no further."
            }
        }
    }

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit: expected 1 or more, found \(limit)") }
    }

    func run() throws {
        try FailureReport.funnelReport.reporting {
            let reader = try storeOptions.openReader()
            _ = try FunnelSelection.select([funnel], from: reader.funnels.map(\.name))
            let query = try ActorQuery(
                funnel: funnel,
                step: step,
                kind == .reached ? .reached : .dropped,
                value: value,
                in: reader.funnels
            )
            try reader.withAudits { try list(query, $0, $1, reader.funnels) }
        }
    }

    private func list(
        _ query: ActorQuery,
        _ audits: [any FunnelAudit],
        _ summary: any SummarySource,
        _ funnels: [Funnel]
    ) throws {
        // It finds the days that are meant, and the figure.
        let request = ReportRequest(funnels: [funnel], days: dayOptions.days)
        let result = try FunnelReport.make(from: summary, funnels: funnels, request).funnels[0]
        var output = BufferedOutput()
        try output.append(format.header)
        var count = 0
        if !result.hasNoDays {
            var search = ActorSearch(
                query,
                funnels: funnels,
                timeZones: try summary.timeZones(of: funnels),
                in: DayRange(result.from, result.to)
            )
            var rows = MergedRows(audits.map { SortedRows($0.rows) })
            while limit.map({ count < $0 }) ?? true, let row = try rows.next() {
                for actor in try search.actors(of: row) where limit.map({ count < $0 }) ?? true {
                    try output.append(format.line(actor))
                    count += 1
                }
            }
        }
        try output.flush()
        guard limit.map({ count < $0 }) ?? true, let figure = query.figure(in: result), figure != count else { return }
        throw StoreError.unusable(
            "the store is damaged: its report counts \(figure) actors, and its rows \(count). Run funnel-consumer verify, which "
                + "names the installs that differ"
        )
    }
}

extension ActorRows: ExpressibleByArgument {}

/// Standard output for many short texts.
private struct BufferedOutput {
    private var text = ""

    mutating func append(_ more: String) throws {
        text += more
        if text.utf8.count >= 1 << 16 { try flush() }
    }

    mutating func flush() throws {
        try StandardOutput.write(text)
        text = ""
    }
}
