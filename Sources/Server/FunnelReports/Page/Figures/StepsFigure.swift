import FlowEvents
import Funnels

/// The steps of a funnel as horizontal bars, with what is lost between them.
enum StepsFigure {
    static func markup(_ result: FunnelResult) -> Markup {
        let steps = result.steps
        let first = steps[0].count
        var items: [Markup] = []
        for (index, step) in steps.enumerated() {
            if step.isOptional {
                items.append(SideWay.markup(step, first: first))
                continue
            }
            if index > 0 { items.append(gap(from: steps[result.funnel.previousRequired(index)], to: step)) }
            items.append(bar(step, index: index, first: first))
        }
        return """
            <figure aria-label="Steps of \(result.funnel.name)"><figcaption>How many reached each step, and how many of \
            the first</figcaption><ol class="steps">\(items)</ol>\(table(result))\(NextFigure.table(result))</figure>
            """
    }

    private static func bar(_ step: StepResult, index: Int, first: Int) -> Markup {
        let share = first == 0 ? 0 : Double(step.count) / Double(first)
        // A count above 0 is never invisible.
        let width = step.count == 0 ? "0" : Chart.percent(max(share, 0.003))
        let percentage = HumanText.percentage(step.count, of: first) ?? "–"
        let interval: Markup =
            step.conversionFromFirstInterval.map { whisker($0, y: 15) } ?? ""
        return """
            <li class="step"><span class="name"><i>\(index + 1)</i>\(Markup.foreign(step.name))</span>\
            <svg class="bar" width="100%" height="30" role="img" aria-label="\(TerminalText.visible(step.name)): \
            \(HumanText.count(step.count)), \(percentage) of the first step"><rect class="fill" width="\(width)" \
            height="100%" rx="2"/>\(interval)</svg><span class="count">\(HumanText.count(step.count))</span>\
            <span class="share">\(percentage)</span></li>
            """
    }

    /// The bounds of an interval, at a height in pixels.
    static func whisker(_ interval: ScoreInterval, scale: Double = 1, y: Int) -> Markup {
        let low = Chart.percent(Double(interval.low.tenThousandths) / 10_000 / scale)
        let high = Chart.percent(min(1, Double(interval.high.tenThousandths) / 10_000 / scale))
        return """
            <g class="mark"><line x1="\(low)" x2="\(high)" y1="\(y)" y2="\(y)"/><line x1="\(low)" x2="\(low)" \
            y1="\(y - 4)" y2="\(y + 4)"/><line x1="\(high)" x2="\(high)" y1="\(y - 4)" y2="\(y + 4)"/></g>
            """
    }

    private static func gap(from previous: StepResult, to step: StepResult) -> Markup {
        let lost = previous.count - step.count
        var parts = ["\(HumanText.count(lost)) left here"]
        if let share = HumanText.percentage(lost, of: previous.count) { parts[0] += " (\(share))" }
        if let excluded = previous.excluded, excluded > 0 {
            parts.append("\(HumanText.count(excluded)) of them by an exclusion")
        }
        if let median = step.medianFromPrevious {
            parts.append("half of the others went on within \(HumanText.duration(median))")
        }
        let went = previous.next.map { NextFigure.markup($0) } ?? ""
        return "<li class=\"gone\"><div><span>\(parts.joined(separator: " · "))</span>\(went)</div></li>"
    }

    private static func table(_ result: FunnelResult) -> Markup {
        let hasExcluded = result.steps.contains { $0.excluded != nil }
        let compared = result.comparison?.steps
        let head =
            ["step", FunnelWords.actors(result.funnel), "of first", "95% interval", "of previous", "95% interval"]
            + ["median from first", "from previous"] + (hasExcluded ? ["excluded"] : [])
            + (compared == nil ? [] : ["before", "of first before", "change, points", "95% interval"])
        let rows = result.steps.enumerated().map { index, step in
            let previous = result.steps[result.funnel.previousRequired(index)].count
            var cells = [
                HumanText.count(step.count), HumanText.percentage(step.count, of: result.steps[0].count),
                step.conversionFromFirstInterval.map(HumanText.percentages),
                HumanText.percentage(step.count, of: previous),
                step.conversionFromPreviousInterval.map(HumanText.percentages),
                step.medianFromFirst.map(HumanText.duration), step.medianFromPrevious.map(HumanText.duration),
            ]
            if hasExcluded { cells.append(step.excluded.map { HumanText.count($0) }) }
            if let before = compared?[index] {
                cells += [
                    HumanText.count(before.count), before.conversionFromFirst.map(HumanText.percentage),
                    before.difference.map(HumanText.points),
                    before.differenceInterval.map {
                        "\(HumanText.points($0.low)) to \(HumanText.points($0.high))"
                    },
                ]
            }
            let name: Markup = "\(Markup.foreign(step.name))\(step.isOptional ? " (optional)" : "")"
            return Chart.row(name, cells.map { "\($0 ?? "–")" })
        }
        return Chart.table("All figures of the steps", of: result.funnel, head, rows)
    }
}
