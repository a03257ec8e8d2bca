import FlowEvents
import Funnels

/// The lines of a comparison with the days before.
enum ComparisonTable {
    static func lines(_ result: FunnelResult, style: TableStyle) -> [String] {
        guard let comparison = result.comparison else { return [] }
        var columns = TableColumns()
        columns.add(["step", FunnelWords.actors(result.funnel), "of first", "change", "95% interval", ""])
        for (index, step) in comparison.steps.enumerated() {
            columns.add(row(step, TerminalText.visible(result.steps[index].name), isFirst: index == 0))
        }
        let rows = columns.lines(leftAligned: [0, 5])
        let days = comparison.from == comparison.to ? "\(comparison.from)" : "\(comparison.from) to \(comparison.to)"
        return [style.apply(.detail, to: "compared with \(days), changes in percentage points")]
            + [style.apply(.detail, to: rows[0])] + rows.dropFirst()
            + (FunnelWords.openComparisonNote(result).map { TextWrap.lines($0, style: style) } ?? [])
    }

    private static func row(_ step: StepComparison, _ name: String, isFirst: Bool) -> [String] {
        let interval = step.differenceInterval.map {
            "\(HumanText.points($0.low)) to \(HumanText.points($0.high))"
        }
        let short = TerminalText.width(name) > 16 ? TerminalText.fit(name, columns: 16) : name
        return [
            short, HumanText.count(step.count), step.conversionFromFirst.map(HumanText.percentage) ?? "–",
            step.difference.map(HumanText.points) ?? "–", interval ?? "–",
            isFirst ? "" : FunnelWords.verdict(step.differenceInterval),
        ]
    }
}
