import Funnels

/// The formats of a report.
package enum ReportFormat: String, Sendable, Hashable, CaseIterable {
    /// A table for people; see ``TableReport``.
    case table
    /// JSON for programs; see ``JSONReport``.
    case json
    /// CSV for spreadsheets; see ``CSVReport``.
    case csv
    /// A page for a browser, in one file; see ``PageReport``.
    case html

    /// Makes a report with all that this format shows.
    ///
    /// - Throws: as ``FunnelReport/make(from:funnels:_:)``.
    package func report(
        from source: some SummarySource,
        funnels: [Funnel],
        _ request: ReportRequest
    ) throws -> FunnelReport {
        switch self {
        case .html: try PageReport.report(from: source, funnels: funnels, request)
        case .table, .json, .csv: try FunnelReport.make(from: source, funnels: funnels, request)
        }
    }

    /// Writes a report in this format. The text ends with a line feed.
    ///
    /// - Parameters:
    ///   - report: the report.
    ///   - style: the style of a table; the other formats ignore it.
    ///   - hasAllColumn: whether the CSV has a column that tells all actors from those of a breakdown value.
    package func render(_ report: FunnelReport, style: TableStyle, hasAllColumn: Bool = false) -> String {
        switch self {
        case .table: TableReport.render(report, style: style)
        case .json: JSONReport.render(report)
        case .csv: CSVReport.render(report, hasAllColumn: hasAllColumn)
        case .html: PageReport.render(report)
        }
    }
}

/// The style of a table.
package struct TableStyle: Sendable, Hashable {
    /// The number of terminal columns for a line. A table that cannot be that narrow is wider.
    package var width: Int
    /// Whether the table has colors, as ANSI escape sequences.
    package var hasColor: Bool

    /// Creates a style.
    package init(width: Int = 80, hasColor: Bool = false) {
        self.width = width
        self.hasColor = hasColor
    }

    enum Look: String {
        case title = "1"
        case detail = "2"
        case bar = "36"
    }

    // SGR sequences of ECMA-48, with the eight colors that every terminal theme defines.
    func apply(_ look: Look, to text: String) -> String {
        hasColor && !text.isEmpty ? "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m" : text
    }
}
