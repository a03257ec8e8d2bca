import FlowEvents
import Funnels

/// Writes a report as a table for people: the funnel and its days, and for each step a bar, percentages and medians.
package enum TableReport {
    /// Writes a report as a table that ends with a line feed.
    package static func render(_ report: FunnelReport, style: TableStyle) -> String {
        let unread = UnreadPartitionsText.sentences(report.unreadPartitions).map { style.apply(.title, to: $0) }
        let parts =
            (unread.isEmpty ? [] : [unread]) + report.funnels.map { funnel($0, style: style) }
            + [quality(report.quality, style: style)]
        return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private static func funnel(_ result: FunnelResult, style: TableStyle) -> [String] {
        let funnel = result.funnel
        var lines = [style.apply(.title, to: TerminalText.visible(funnel.name))]
        if let description = funnel.description { lines.append(TerminalText.visible(description)) }
        let details =
            "\(FunnelWords.actors(funnel)), within \(FunnelWords.window(funnel)), \(FunnelWords.range(result))"
        lines.append(style.apply(.detail, to: details))
        if let states = FunnelWords.states(result.states) { lines.append(style.apply(.detail, to: states)) }
        if let day = result.completeFrom {
            lines.append(style.apply(.detail, to: "complete from \(day) on: the topic had lost earlier events"))
        }
        if let day = result.firstKnownFrom {
            lines.append(
                style.apply(.detail, to: "first entries are known from \(day) on: the topic had lost earlier events")
            )
        }
        lines.append("")
        let layout = StepLayout(result, style: style)
        lines.append(layout.header())
        lines += layout.rows(result.steps)
        let questions = QuestionsTable.lines(of: result.steps, funnel, style: style)
        lines += questions.isEmpty ? [] : [""] + questions
        lines += SumsTable.lines(result, style: style)
        for block in [
            ExperimentTable.lines(result, style: style), TrendTable.lines(result, style: style),
            ComparisonTable.lines(result, style: style),
        ]
            + TimesTable.blocks(result, style: style) where !block.isEmpty
        {
            lines += [""] + block
        }
        return lines + breakdown(result, layout, style: style)
    }

    private static func breakdown(_ result: FunnelResult, _ layout: StepLayout, style: TableStyle) -> [String] {
        guard let breakdown = result.funnel.breakdown, let parts = result.breakdown else { return [] }
        var lines: [String] = []
        for part in parts {
            lines.append("")
            lines += TextWrap.lines(FunnelWords.value(part.value, of: breakdown), style: style)
            lines += layout.rows(part.steps)
            lines += QuestionsTable.lines(of: part.steps, result.funnel, style: style)
            lines += SumsTable.lines(of: part.steps, result.funnel, style: style)
        }
        if result.valuesLeftOut > 0 {
            let leftOut = HumanText.count(Int64(result.valuesLeftOut), "more value")
            let actors = FunnelWords.actors(result.funnel)
            let shown = "shown are the \(HumanText.count(parts.count)) with the most \(actors) at step 1"
            lines += ["", style.apply(.detail, to: "\(leftOut) left out: \(shown)")]
        }
        return lines
    }

    private static func quality(_ quality: Quality, style: TableStyle) -> [String] {
        var parts = [
            "\(HumanText.count(quality.events, "event")) read",
            "\(HumanText.count(quality.duplicates, "repeat")) ignored",
            "\(HumanText.count(quality.late)) late",
            HumanText.count(quality.deadLetters, "dead letter"),
            "\(HumanText.count(quality.unread)) unread",
        ]
        if quality.capped > 0 {
            parts.append("\(HumanText.count(quality.capped, "install")) left out for too many events")
        }
        if quality.erasedInstalls > 0 { parts.append("\(HumanText.count(quality.erasedInstalls, "install")) erased") }
        return ([parts.joined(separator: ", ")] + CompletenessText.lines(quality))
            .map { style.apply(.detail, to: $0) }
    }
}
