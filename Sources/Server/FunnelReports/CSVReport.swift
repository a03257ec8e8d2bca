import Funnels

/// Writes a report as CSV, [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180) with a header.
///
/// Lines end with a line feed and not with the CRLF of the RFC: `cut`, `awk` and `sort` expect a line feed, and
/// spreadsheets read both. A field without a value is empty. An empty breakdown value is a quoted empty field, `""`. A
/// text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return gets a `'` before it, so that no spreadsheet runs it as
/// a formula.
package enum CSVReport {
    /// Writes a report with one row per funnel, breakdown value and step. The breakdown value is empty for all actors.
    ///
    /// Where a funnel has a trend, the columns `from` and `to` come first. The rows of the whole range, which has empty
    /// cells where it has no bounds, are followed by those of the buckets. The CSV has no row for comparisons, times
    /// and breakdown values that are left out. The JSON has them.
    ///
    /// - Parameters:
    ///   - report: the report.
    ///   - hasAllColumn: whether a column `all` behind `breakdown` says `true` in the rows of all actors, `false` in those of a
    ///     breakdown value. Without it, only quotes tell the value of an empty text from all actors.
    package static func render(_ report: FunnelReport, hasAllColumn: Bool = false) -> String {
        let hasDays = report.funnels.contains { $0.trend != nil }
        var output =
            (hasDays ? "from,to," : "")
            + "funnel,breakdown," + (hasAllColumn ? "all," : "")
            + "step,name,count,conversion_from_first,conversion_from_previous,"
            + "median_ms_from_first,median_ms_from_previous\n"
        for result in report.funnels {
            let name = result.funnel.name
            let days = hasDays ? days(result.from, result.to) : ""
            func write(_ steps: [StepResult], _ value: BreakdownValue?, _ days: String) {
                Self.write(steps, of: name, value: value, days, hasAllColumn, to: &output)
            }
            write(result.steps, nil, days)
            for part in result.breakdown ?? [] { write(part.steps, part.value, days) }
            for bucket in result.trend ?? [] { write(bucket.steps, nil, self.days(bucket.from, bucket.to)) }
        }
        return output
    }

    private static func days(_ from: Day?, _ to: Day?) -> String {
        "\(from?.description ?? ""),\(to?.description ?? ""),"
    }

    private static func write(
        _ steps: [StepResult],
        of funnel: String,
        value: BreakdownValue?,
        _ days: String,
        _ hasAllColumn: Bool,
        to output: inout String
    ) {
        for (index, step) in steps.enumerated() {
            let medians = [step.medianFromFirst, step.medianFromPrevious].map { $0.map(String.init) ?? "" }
            let shares = [step.conversionFromFirst, step.conversionFromPrevious].map { $0?.description ?? "" }
            let breakdown = value.map { $0.description.isEmpty ? "\"\"" : text($0.description) } ?? ""
            let all = hasAllColumn ? [value == nil ? "true" : "false"] : []
            let key = [text(funnel), breakdown] + all + [String(index + 1), text(step.name)]
            let fields = key + [String(step.count)] + shares + medians
            output += days + fields.joined(separator: ",") + "\n"
        }
    }

    // It looks at the first byte, because a `=` and a combining mark are one `Character`.
    static func text(_ field: String) -> String {
        let isFormula = field.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
        return quoted(isFormula ? "'" + field : field)
    }

    // It compares scalars, because a carriage return and a line feed are one `Character`.
    private static func quoted(_ field: String) -> String {
        guard field.unicodeScalars.contains(where: { [",", "\"", "\r", "\n"].contains($0) }) else { return field }
        var output = "\""
        for scalar in field.unicodeScalars {
            if scalar == "\"" { output += "\"" }
            output.unicodeScalars.append(scalar)
        }
        return output + "\""
    }
}
