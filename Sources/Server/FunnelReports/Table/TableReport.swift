import FlowEvents
import Funnels

/// Writes a report as a table for people: the funnel and its days, and for each step a bar, percentages and medians.
package enum TableReport {
    /// Writes a report as a table that ends with a line feed.
    package static func render(_ report: FunnelReport, style: TableStyle) -> String {
        let parts = report.funnels.map { funnel($0, style: style) } + [quality(report.quality, style: style)]
        return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private static func funnel(_ result: FunnelResult, style: TableStyle) -> [String] {
        let funnel = result.funnel
        var lines = [style.apply(.title, to: TerminalText.visible(funnel.name))]
        if let description = funnel.description { lines.append(TerminalText.visible(description)) }
        let details =
            "\(funnel.count.rawValue), within \(DurationText.text(funnel.windowMilliseconds)), \(range(result))"
        lines.append(style.apply(.detail, to: details))
        if let day = result.completeFrom {
            lines.append(style.apply(.detail, to: "complete from \(day) on: the topic had lost earlier events"))
        }
        lines.append("")
        let layout = StepLayout(result, style: style)
        lines.append(layout.header())
        lines += layout.rows(result.steps)
        if let field = funnel.breakdown, let parts = result.breakdown {
            for part in parts {
                let value = part.value.isEmpty ? "(empty)" : TerminalText.visible(part.value)
                lines.append("")
                lines.append(style.apply(.detail, to: "\(TerminalText.visible(field.path)): ") + value)
                lines += layout.rows(part.steps)
            }
            if result.valuesLeftOut > 0 {
                let leftOut = HumanText.count(Int64(result.valuesLeftOut), "more value")
                let shown =
                    "shown are the \(HumanText.count(parts.count)) with the most \(funnel.count.rawValue) at step 1"
                lines += ["", style.apply(.detail, to: "\(leftOut) left out: \(shown)")]
            }
        }
        return lines
    }

    private static func range(_ result: FunnelResult) -> String {
        switch (result.from, result.to) {
        case (nil, nil): "all days"
        case (let from?, nil): "entered from \(from) on (UTC)"
        case (nil, let to?): "entered up to \(to) (UTC)"
        case (let from?, let to?) where from == to: "entered on \(from) (UTC)"
        case (let from?, let to?): "entered from \(from) to \(to) (UTC)"
        }
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
        return ([parts.joined(separator: ", ")] + CompletenessText.lines(quality.completeness))
            .map { style.apply(.detail, to: $0) }
    }
}
