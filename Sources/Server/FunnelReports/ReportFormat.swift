public import Funnels

/// The forms that a report is printed in.
public enum ReportFormat: String, Sendable, Hashable, CaseIterable {
    /// For people; see ``TableReport``.
    case table
    /// For programs, to the contract; see ``JSONReport``.
    case json
    /// For spreadsheets, to the contract; see ``CSVReport``.
    case csv

    /// The report in this form, ending with a line feed.
    ///
    /// - Parameter style: how the table looks; the other forms look the same everywhere.
    public func render(_ report: FunnelReport, style: TableStyle) -> String {
        switch self {
        case .table: TableReport.render(report, style: style)
        case .json: JSONReport.render(report)
        case .csv: CSVReport.render(report)
        }
    }
}
