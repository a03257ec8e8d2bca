public import Funnels

/// A report as the contract's CSV: [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180) with a header.
///
/// Lines end with a line feed, not the RFC's CRLF: `cut`, `awk` and `sort` expect it, and spreadsheets read both. A
/// field that has no value is empty; a breakdown value that is the empty text is a quoted empty field, `""`.
public enum CSVReport {
    /// Writes the report: one row per funnel, breakdown value (empty for the whole) and step.
    public static func render(_ report: FunnelReport) -> String {
        var output =
            "funnel,breakdown,step,name,count,conversion_from_first,conversion_from_previous,"
            + "median_ms_from_first,median_ms_from_previous\n"
        for result in report.funnels {
            write(result.steps, of: result.funnel.name, value: nil, to: &output)
            for part in result.breakdown ?? [] {
                write(part.steps, of: result.funnel.name, value: part.value, to: &output)
            }
        }
        return output
    }

    private static func write(_ steps: [StepResult], of funnel: String, value: String?, to output: inout String) {
        for (index, step) in steps.enumerated() {
            let medians = [step.medianFromFirst, step.medianFromPrevious].map { $0.map(String.init) ?? "" }
            let shares = [step.conversionFromFirst, step.conversionFromPrevious].map { $0?.description ?? "" }
            let breakdown = value.map { $0.isEmpty ? "\"\"" : quoted($0) } ?? ""
            let place = [quoted(funnel), breakdown, String(index + 1), quoted(step.name)]
            let fields = place + [String(step.count)] + shares + medians
            output += fields.joined(separator: ",") + "\n"
        }
    }

    // By scalars: to `Character`, a carriage return and a line feed are one.
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
