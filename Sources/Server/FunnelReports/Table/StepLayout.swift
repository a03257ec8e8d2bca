import FlowEvents
import Funnels

/// The layout of the step tables of one funnel. All tables, for all actors and for each breakdown value, have the same
/// column widths.
struct StepLayout {
    private let funnel: Funnel
    private let style: TableStyle
    private let unit: String
    private let nameWidth: Int
    private let countWidth: Int
    private let captions: [String]
    private let figureWidths: [Int]
    private let barWidth: Int

    private static let nameCaption = "step"

    init(_ result: FunnelResult, style: TableStyle) {
        let rows = ([result.steps] + (result.breakdown ?? []).map(\.steps))
            .flatMap { Self.figures($0, result.funnel) }
        funnel = result.funnel
        self.style = style
        unit = FunnelWords.actors(result.funnel)
        let names = rows.map { TerminalText.width($0.name) }.reduce(Self.nameCaption.count, max)
        nameWidth = min(names, max(12, style.width / 3))
        countWidth = max(unit.count, rows.map(\.count.count).max() ?? 0)
        // With two steps, the previous step is the first one, and the second pair of columns would repeat the first.
        let hasPrevious = result.steps.count > 2
        let captions = ["of first", "median"] + (hasPrevious ? ["of previous", "median"] : [])
        self.captions = captions
        figureWidths = captions.indices.map { column in
            max(captions[column].count, rows.map { $0.figures[column].count }.max() ?? 0)
        }
        let taken = 4 + nameWidth + 2 + countWidth + figureWidths.reduce(0) { $0 + $1 + 2 }
        let free = style.width - taken - 2
        // A shorter bar would be too coarse to compare.
        barWidth = free < 6 ? 0 : min(free, 40)
    }

    /// The line with the captions of the columns.
    func header() -> String {
        let bar = barWidth == 0 ? "" : String(repeating: " ", count: barWidth + 2)
        let figures = zip(captions, figureWidths).map { "  " + Self.right($0, $1) }.joined()
        let start =
            "    " + TerminalText.fit(Self.nameCaption, columns: nameWidth) + "  " + Self.right(unit, countWidth)
        return style.apply(.detail, to: start + bar + figures)
    }

    /// One line for each step.
    func rows(_ steps: [StepResult]) -> [String] {
        Self.figures(steps, funnel).enumerated().map { index, row in
            let bar = barWidth == 0 ? "" : "  " + style.apply(.bar, to: Self.bar(row.eighths(of: barWidth), barWidth))
            let figures = zip(row.figures, figureWidths).map { "  " + Self.right($0, $1) }.joined()
            let name = TerminalText.fit(row.name, columns: nameWidth)
            let number = row.isOptional ? "~" : "\(index + 1)"
            return "\(Self.right(number, 2))  \(name)  \(Self.right(row.count, countWidth))\(bar)\(figures)"
        }
    }

    private struct Row {
        let name: String
        let count: String
        let figures: [String]
        let part: Int
        let whole: Int
        let isOptional: Bool

        // The bar of a count above 0 is never empty.
        func eighths(of width: Int) -> Int {
            whole == 0 || part == 0 ? 0 : max(1, part * width * 8 / whole)
        }
    }

    private static func figures(_ steps: [StepResult], _ funnel: Funnel) -> [Row] {
        let first = steps.first?.count ?? 0
        return steps.enumerated().map { index, step in
            let previous = steps[funnel.previousRequired(index)].count
            let figures = [
                HumanText.percentage(step.count, of: first),
                step.medianFromFirst.map(HumanText.duration),
                index == 0 ? nil : HumanText.percentage(step.count, of: previous),
                step.medianFromPrevious.map(HumanText.duration),
            ]
            return Row(
                name: TerminalText.visible(step.name),
                count: HumanText.count(step.count),
                figures: figures.map { $0 ?? "–" },
                part: step.count,
                whole: first,
                isOptional: step.isOptional
            )
        }
    }

    /// A bar, filled up with spaces to a width.
    static func bar(_ eighths: Int, _ width: Int) -> String {
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        let bar = String(repeating: "█", count: eighths / 8) + partial
        return bar + String(repeating: " ", count: max(0, width - bar.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
